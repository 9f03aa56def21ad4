import { toast } from '#src/components/ui/toast.store.ts';
import { copyText } from '#src/lib/clipboard.ts';
import { citeBibtex, citeRis, citeText, type Cited, type CiteFormat } from './cite.ts';

const WRITERS: Record<CiteFormat, (cited: Cited) => string> = {
	text: citeText,
	bibtex: citeBibtex,
	ris: citeRis,
};

/** Copies the citation of this page, by the facts in it, and says so. */
export async function writeCitation(format: CiteFormat): Promise<void> {
	const fact = (name: string) =>
		document.querySelector<HTMLMetaElement>(`meta[${name}]`)?.content ?? '';
	// The version that readers have is that of the last change that they were told of.
	const changed = document.querySelector<HTMLElement>('[data-changed-at]')?.dataset['changedAt'];
	const cited = {
		title: fact('name=citation_title'),
		author: fact('name=author'),
		site: fact('property="og:site_name"'),
		url: fact('property="og:url"'),
		date: (changed ?? fact('property="article:published_time"')).slice(0, 10),
	};
	const isCopied = await copyText(WRITERS[format](cited));
	toast(
		isCopied
			? { title: 'Citation copied' }
			: { title: 'Copy failed', description: 'Unable to copy to clipboard.', destructive: true },
	);
}
