import { type Sheet, searchForm } from './layout'
import { type Group, GUIDE, type Page } from './page'
import { excerpt, MOST_QUERY, type Place, search, wordsOf } from './search'

// The sheets that are not pages of the guide: the index, the search results, and the answer for an unknown address.

const TITLE = 'svc guide'
const WELCOME = 'How to try svc, sell with it, run it and work on it.'

export const indexSheet = (groups: readonly Group[]): Sheet => ({
  title: 'Contents',
  description: WELCOME,
  slug: '',
  main: `<h1>${TITLE}</h1>
<p class="lead">${WELCOME}</p>
${searchForm('main-query')}
<div class="contents" id="contents">
${groups.map(groupCard).join('\n')}
</div>`,
})

const groupCard = ({ title, pages }: Group): string =>
  `<section>\n<h2>${title}</h2>\n<ul>\n${pages.map(pageItem).join('\n')}${title === 'Reference' ? API_ITEM : ''}\n</ul>\n</section>`

const pageItem = ({ slug, title, summary }: Page): string =>
  `<li><a href="${GUIDE}${slug}">${Bun.escapeHTML(title)}</a><p>${summary.replace(/<\/?a\b[^>]*>/g, '')}</p></li>`

const API_ITEM = '\n<li><a href="/docs">HTTP API</a><p>Every address, with its parameters and answers.</p></li>'

export function searchSheet(places: readonly Place[], asked: string): Sheet {
  const query = asked.slice(0, MOST_QUERY)
  const words = wordsOf(query)
  const found = search(places, words)
  return {
    title: `Search: ${query}`,
    slug: '',
    query,
    main: `<h1>Search</h1>
<p class="lead">${countSentence(found.length, query)}</p>
${searchForm('main-query', query)}
<ol class="found">
${found.map((place) => foundItem(place, words)).join('\n')}
</ol>
<p><a href="${GUIDE}">All pages of the guide</a></p>`,
  }
}

function countSentence(count: number, query: string): string {
  const quoted = `<q>${Bun.escapeHTML(query)}</q>`
  if (count === 0) return `Nothing holds ${quoted}. A part of a page is found when it contains all words of the search.`
  return `${count === 1 ? 'One place' : `${count} places`} for ${quoted}.`
}

const foundItem = ({ path, title, heading, text }: Place, words: readonly string[]): string =>
  `<li><a href="${GUIDE}${path}">${withMarks(heading ?? title, words)}</a>${
    heading === null ? '' : ` <span class="quiet">${Bun.escapeHTML(title)}</span>`
  }<p>${withMarks(excerpt(text, words), words)}</p></li>`

/** A text as HTML, with the searched words marked. */
function withMarks(text: string, words: readonly string[]): string {
  const pattern = new RegExp(`(${words.map(RegExp.escape).join('|')})`, 'gi')
  return text
    .split(pattern)
    .map((part, index) => (index % 2 === 1 ? `<mark>${Bun.escapeHTML(part)}</mark>` : Bun.escapeHTML(part)))
    .join('')
}

export const missingSheet = (): Sheet => ({
  title: 'Not found',
  slug: '',
  main: `<h1>This page is not there</h1>
<p class="lead">The guide has no page at this address. Search it, or begin at <a href="${GUIDE}">all pages</a>.</p>
${searchForm('main-query')}`,
})
