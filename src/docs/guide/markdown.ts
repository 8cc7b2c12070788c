import { Marked, type Token, type Tokens } from 'marked'
import { highlight } from './highlight'
import { codeSpan, GUIDE, type Heading, type Page, textOf } from './page'

// Used only while building: neither this file nor the Markdown library is in the executable.

/** Renders one page. The Markdown starts with the title (`# …`) and a paragraph that says what the page is about. */
export function renderPage(slug: string, markdown: string): Page {
  const headings: Heading[] = []
  const marked = newMarked(headings)
  const [title, summary, ...rest] = marked.lexer(markdown).filter(({ type }) => type !== 'space')
  if (title?.type !== 'heading' || summary?.type !== 'paragraph')
    throw new Error(`${slug}.md must begin with a title and one paragraph`)
  return {
    slug,
    title: textOf(marked.parseInline((title as Tokens.Heading).text) as string),
    summary: marked.parseInline((summary as Tokens.Paragraph).text) as string,
    html: marked.parser(rest),
    headings,
  }
}

function newMarked(headings: Heading[]): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const text = textOf(html)
        const id = anchorOf(text)
        headings.push({ level: depth, id, text })
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }) => codeBlock(text, lang),
      codespan: ({ text }) => codeSpan(Bun.escapeHTML(text)),
      table(token) {
        const head = token.header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`)
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>\n`,
        )
        return scrollingTable(head.join(''), rows.join(''))
      },
      link({ href, tokens }) {
        return `<a href="${Bun.escapeHTML(toPath(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      html: ({ text }) => Bun.escapeHTML(text),
    },
  })
}

/** A block of code. The words after its language, such as the path of a file, are written above it. */
function codeBlock(text: string, lang: string): string {
  const [, language = '', about] = /^(\S*)(?: (.+))?$/.exec(lang) ?? []
  const block = `<pre tabindex="0"><code class="language-${Bun.escapeHTML(language)}">${highlight(text, language)}</code></pre>\n`
  if (about === undefined) return block
  const caption = `${codeSpan(Bun.escapeHTML(about))}${language === 'text' ? ' prints' : ''}`
  return `<figure><figcaption>${caption}</figcaption>${block}</figure>\n`
}

/** A table that scrolls inside its frame. The frame can get the keyboard focus. */
const scrollingTable = (head: string, rows: string): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`

/** The address of a link. In Markdown, links name files, so that they also work in the repository. */
const toPath = (href: string): string => href.replace(/^([a-z-]+)\.md(?=#|$)/, `${GUIDE}$1`)

/** The anchor of a heading, in the same form as on code hosting sites. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** Every token of a text, also nested ones, for tests of the pages. */
export function tokensOf(markdown: string): Token[] {
  const found: Token[] = []
  const marked = new Marked()
  marked.walkTokens(marked.lexer(markdown), (token) => void found.push(token))
  return found
}
