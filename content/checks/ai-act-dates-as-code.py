"""Other days of launch and of redesign for every duty."""
from datetime import date, timedelta
from article import claim, programs

article = programs()
duties = article["duties"]
DAYS = [date(2024, 6, 1), date(2025, 8, 1), date(2025, 8, 2), date(2026, 8, 1), date(2026, 8, 2),
        date(2026, 12, 2), date(2027, 12, 1), date(2027, 12, 2), date(2028, 8, 1), date(2028, 8, 2)]
KINDS = {"bot": ("machine", dict(talks=True)), "marking": ("mark", dict(generates=True)),
         "model": ("documentation", dict(model=True)), "Annex III": ("high-risk", dict(high_risk="III")),
         "III public": ("high-risk", dict(high_risk="III", public=True)), "Annex I": ("high-risk", dict(high_risk="I"))}


def starts(day, kind, **more):
    word, facts = KINDS[kind]
    return next(start for start, duty in duties(day, **facts, **more) if word in duty)


print("launched  " + "".join(f"{kind:>11}" for kind in KINDS))
for day in DAYS:
    found = [starts(day, kind) for kind in KINDS]
    print(f"{day}  " + "".join(
        ("no date" if s == date.max else "at launch" if s == day else str(s)).rjust(11) for s in found))

every = [date(2024, 1, 1) + timedelta(n) for n in range(2400)]
claim("Marking and the two high-risk dates each turn on one day",
      all(len({starts(day, kind) == day for day in every if low <= day < high}) == 1
          for kind, cut in (("marking", date(2026, 8, 2)), ("Annex III", date(2027, 12, 2)), ("Annex I", date(2028, 8, 2)))
          for low, high in ((date(2024, 1, 1), cut), (cut, date(2030, 1, 1)))))
claim("The other parts of Article 50 gave no such time",
      all(starts(day, "bot") == max(day, date(2026, 8, 2)) for day in every))
claim("For systems meant for public authorities that ends in any case on 2 August 2030, even if a redesign comes later.",
      all(starts(date(2025, 3, 1), kind, public=True, changed_after=day) == min(day, date(2030, 8, 2))
          for kind in ("Annex III", "Annex I") for day in (date(2028, 8, 2), date(2030, 8, 1), date(2030, 8, 3), date(2031, 1, 1))))
claim("A redesign a day before it changes nothing",
      starts(date(2025, 3, 1), "Annex III", changed_after=date(2027, 12, 1)) == date.max
      and starts(date(2025, 3, 1), "Annex III", changed_after=date(2027, 12, 2)) == date(2027, 12, 2))
