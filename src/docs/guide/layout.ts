import { VERSION } from '../../base/version'
import { FONT_PATHS, STYLES_PATH } from './files'
import { type Group, GUIDE, type Page, textOf } from './page'
import { MOST_QUERY } from './search'

/** The content inside the frame that all pages share. All texts are HTML, except the title and the query. */
export interface Sheet {
  title: string
  description?: string
  /** The slug of the page; '' for the index and for sheets that are not pages. */
  slug: string
  query?: string
  main: string
  beside?: string
}

/** A whole HTML document: a sheet with the navigation and the search around it. */
export const documentOf = (groups: readonly Group[], sheet: Sheet): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(sheet.title)} · svc guide</title>${
  sheet.description === undefined ? '' : `\n<meta name="description" content="${Bun.escapeHTML(sheet.description)}">`
}
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${FONT_PATHS.map((path) => `<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>`).join('\n')}
<link rel="stylesheet" href="${STYLES_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="shell">
<header class="bar">
<a class="brand" href="${GUIDE}">${MARK}<span>svc <span class="quiet">guide</span></span></a>
<a class="menu" href="${GUIDE}#contents">Contents</a>
</header>
<aside class="side">
${searchForm('side-query', sheet.query)}
<nav aria-label="Guide">
${groups.map((group) => navGroup(group, sheet.slug)).join('\n')}
</nav>
</aside>
<main id="content" tabindex="-1">
${sheet.main}
${FOOT}
</main>
${sheet.beside ?? ''}
</div>
</body>
</html>
`

const DOTS = '<circle cx="8" cy="4" r="2.2"/><circle cx="3.4" cy="12" r="2.2"/><circle cx="12.6" cy="12" r="2.2"/>'
const MARK = `<svg class="mark" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">${DOTS}</svg>`
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="#00677f">${DOTS}</svg>`

/** The search form. Each form on a page needs its own id. */
export const searchForm = (id: string, query = ''): string => `<form class="search" role="search" action="${GUIDE}">
<label for="${id}">Search the guide</label>
<div><input id="${id}" type="search" name="q" value="${Bun.escapeHTML(query)}" maxlength="${MOST_QUERY}" placeholder="Titles, codes, commands"><button>Search</button></div>
</form>`

const navGroup = ({ title, pages }: Group, current: string): string =>
  `<h2>${title}</h2>\n<ul>\n${pages.map((page) => navLink(page, current)).join('\n')}${
    title === 'Reference' ? '\n<li><a href="/docs">HTTP API</a></li>' : ''
  }\n</ul>`

const navLink = ({ slug, title }: Page, current: string): string =>
  `<li><a href="${GUIDE}${slug}"${slug === current ? ' aria-current="page"' : ''}>${Bun.escapeHTML(title)}</a></li>`

const FOOT = `<footer>svc ${VERSION} · AGPL-3.0-only · <a href="${GUIDE}files/LICENSE.txt">licence of the fonts</a></footer>`

/** A page, with links to the page before it and the page after it. */
export function articleOf(groups: readonly Group[], page: Page): Sheet {
  const pages = groups.flatMap((group) => group.pages)
  const at = pages.indexOf(page)
  const group = groups.find(({ pages }) => pages.includes(page))?.title ?? ''
  return {
    title: page.title,
    description: textOf(page.summary),
    slug: page.slug,
    main: `<article>
<p class="crumbs">${group}</p>
<h1>${Bun.escapeHTML(page.title)}</h1>
<p class="lead">${page.summary}</p>
${page.html}</article>
<nav class="turn" aria-label="Previous and next page">
${turn('Previous', 'prev', pages[at - 1])}${turn('Next', 'next', pages[at + 1])}
</nav>`,
    beside: onThisPage(page),
  }
}

const turn = (word: string, rel: string, page: Page | undefined): string =>
  page
    ? `<a class="${rel}" rel="${rel}" href="${GUIDE}${page.slug}"><span>${word}</span> ${Bun.escapeHTML(page.title)}</a>`
    : ''

function onThisPage({ headings }: Page): string {
  const shown = headings.filter(({ level }) => level === 2)
  if (shown.length < 2) return ''
  const links = shown.map(({ id, text }) => `<li><a href="#${id}">${Bun.escapeHTML(text)}</a></li>`)
  return `<nav class="here" aria-labelledby="here"><h2 id="here">On this page</h2>\n<ul>\n${links.join('\n')}\n</ul></nav>`
}
