"""The attempts under each profile, and what comes back when a piece of the best one is left out."""
import csv
import subprocess
import tempfile
from pathlib import Path
from article import claim, programs

names = programs()
rows = {}
with open(Path(__file__).parent.parent / "data/coding-agent-sandbox-tried.csv", encoding="utf-8") as lines:
    for row in csv.DictReader(lines):
        rows.setdefault(row["profile"], []).append(row)
KINDS = ("read", "write", "later", "net", "process")


def through(profile, kind=None):
    return [row["attempt"] for row in rows[profile]
            if row["succeeded"] == "1" and (row["kind"] == kind if kind else row["kind"] != "useful")]


def line(profile, name):
    counts = "".join(f"{len(through(profile, kind)):6d}" for kind in KINDS)
    print(f"{name:31s}{counts}{len(through(profile)):6d}{len(through(profile, 'useful')):8d}")


print("got through                      read write later  talk   proc  all    useful")
for profile, name in (("landlock-write", "Landlock, writing"), ("landlock-abi4", "and reading, TCP (Linux 6.7)"),
                      ("landlock-all", "and signals, sockets (6.12)"), ("strict", "bwrap, strict"),
                      ("strict-seccomp", "and a filter of system calls"), ("strict-git", "strict, the top .git held"),
                      ("strict-nested", "strict, every .git held"), ("strict-proxy", "and a proxy with a list")):
    line(profile, name)
print("every .git held, without")
base = set(through("strict-nested"))
back = {}
for piece, name in (("root", "a root of its own"), ("tmp", "a /tmp of its own"), ("hooks", "the mounts on .git"),
                    ("secrets", "the mount on .env"), ("env", "--clearenv"), ("net", "--unshare-net"),
                    ("pid", "--unshare-pid"), ("die", "--die-with-parent"), ("user", "--disable-userns"),
                    ("ipc", "--unshare-ipc, uts, cgroup")):
    back[piece] = [attempt for attempt in through("minus-" + piece) if attempt not in base]
    text, first = ", ".join(back[piece]) or "nothing", True
    while text:
        cut = text if len(text) <= 46 else text[:text.rfind(", ", 0, 46) + 1]
        print(f"  {name if first else '':30s}{cut.strip()}")
        text, first = text[len(cut):], False

ORDER = dict(zip(("no sandbox", "proxy variables", "Landlock, writing", "Landlock, all", "bwrap, writing",
                  "bwrap, no network", "bwrap, strict", "strict, Git held"),
                 ("none", "proxy", "landlock-write", "landlock-all", "bwrap-write", "bwrap-net", "strict", "strict-nested")))
for title, profile in ORDER.items():
    marks = " ".join("".join("x" if row["succeeded"] == "1" else "." for row in rows[profile] if row["kind"] == kind)
                     for kind in KINDS)
    claim("Here are the results, one character for each attempt", names["RESULTS"][title] == marks)
claim("Proxy variables stopped none of 25 attempts, all of Landlock 14, a common bubblewrap line 7, a strict one 21",
      [25 - len(through(p)) for p in ("proxy", "landlock-all", "bwrap-write", "strict")] == [0, 14, 7, 21])
claim("Every one of the real sandboxes stopped all four direct writes",
      not any(through(p, "write") for p in rows if p.startswith(("landlock", "bwrap", "strict"))))
claim("Of 25 attempts, 25 got past proxy variables and 4 past a strict profile", (len(through("proxy")), len(through("strict"))) == (25, 4))
claim("With a proxy and a list the eighth useful thing worked, and 2 of 25 got through",
      set(through("strict-proxy", "useful")) - set(through("strict-nested", "useful")) == {"allowed host"})
claim("23 of 25 stopped, and all eight useful things worked",
      len(through("strict-proxy")) == 2 and len(through("strict-proxy", "useful")) == 8)
claim("It also broke two of the eight useful things",
      set(through("bwrap-write", "useful")) - set(through("landlock-all", "useful"))
      == {"own local server", "threads and processes"})
claim("It stopped none of the remaining attempts, which need no unusual call, and it broke a useful one",
      through("strict-seccomp") == through("strict")
      and set(through("strict", "useful")) - set(through("strict-seccomp", "useful")) == {"unix server"})
claim("Of what we took away, only one group of flags changed nothing in our list", [p for p in back if not back[p]] == ["ipc"])
claim("Two attempts are left, and no profile stopped them: a line in the `Makefile`, and a task for the editor",
      set.intersection(*(set(through(p)) for p in rows)) == {"build script", "editor task"})
claim("before the strict profile only one other was stopped by any: talking, with the network gone",
      {(p, kind) for p in ("landlock-write", "landlock-all", "bwrap-write", "bwrap-net") for kind in KINDS if not through(p, kind)}
      == {(p, "write") for p in ("landlock-write", "landlock-all", "bwrap-write", "bwrap-net")} | {("bwrap-net", "net")})


def runs_hook(target):
    """Whether a commit runs the hook of a copy of `.git` when `.git/commondir` names this folder, with Git's own files untouched."""
    with tempfile.TemporaryDirectory() as project:
        def git(*words):
            return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words],
                                  cwd=project, capture_output=True, text=True, check=True).stderr
        git("init", "-q", "--template=")
        git("commit", "-q", "--allow-empty", "-m", "first")
        hooks = Path(project, ".copy", "hooks")
        subprocess.run(["cp", "-r", ".git", ".copy"], cwd=project, check=True)
        hooks.mkdir()
        (hooks / "pre-commit").write_text("#!/bin/sh\necho evil >&2\n")
        (hooks / "pre-commit").chmod(0o755)
        Path(project, ".git", "commondir").write_text(target + "\n")
        return "evil" in git("commit", "--allow-empty", "-m", "second")


def submodule_hook():
    """Whether a commit in a submodule runs a hook that lies in `.git/modules` of the project around it."""
    with tempfile.TemporaryDirectory() as top:
        def git(folder, *words):
            return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always", *words],
                                  cwd=Path(top, folder), capture_output=True, text=True, check=True).stderr
        for folder in ("library", "project"):
            git(".", "init", "-q", "--template=", folder)
            git(folder, "commit", "-q", "--allow-empty", "-m", "first")
        git("project", "submodule", "--quiet", "add", "../library", "sub")
        hooks = Path(top, "project", ".git", "modules", "sub", "hooks")
        hooks.mkdir(exist_ok=True)
        (hooks / "pre-commit").write_text("#!/bin/sh\necho evil >&2\n")
        (hooks / "pre-commit").chmod(0o755)
        return "evil" in git("project/sub", "commit", "--allow-empty", "-m", "second")


claim("A submodule's hooks lie in `.git/modules`", submodule_hook())
claim("Git takes its hooks and settings from the folder that the file `.git/commondir` names", runs_hook("../.copy"))
claim("write a single dot into that file, which means `.git` itself", not runs_hook("."))
