import { codeSpan, GUIDE, type Heading } from './page'

export const NONE = '—'

/** A heading of level 3 is not in the list beside a page, but the search finds it. */
export const entry = (name: string): Heading => ({ level: 3, id: name, text: name })

/** A name as HTML. A long name can be broken after each of its parts. */
export const named = (name: string): string =>
  `<a id="${name}" href="#${name}"><code>${name.replaceAll('_', '_<wbr>')}</code></a>`

/** Text with code in backquotes, and links to pages of the guide, as HTML. */
export const marked = (text: string): string =>
  Bun.escapeHTML(text)
    .replace(/`([^`]+)`/g, (_, code: string) => codeSpan(code))
    .replace(/\[([^\]]+)\]\(([a-z-]+)\.md\)/g, `<a href="${GUIDE}$2">$1</a>`)

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head
    .map((cell) => `<th scope="col">${cell}</th>`)
    .join('')}</tr></thead>\n<tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`)
    .join('')}</tbody></table></div>\n`

export const code = (text: string, language = 'sh'): string =>
  `<pre tabindex="0"><code class="language-${language}">${Bun.escapeHTML(text)}</code></pre>`
