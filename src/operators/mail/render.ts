import type { Letter } from './letter'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/**
 * A letter as plain text and as HTML. Everything is escaped, nothing is loaded from anywhere, and the colours follow the
 * reader's light or dark mode. `unsubscribeUrl` is added at the end; null = the letter is not optional.
 */
export function renderLetter(
  letter: Pick<Letter, 'subject' | 'paragraphs' | 'action' | 'more'>,
  unsubscribeUrl: string | null,
): RenderedMail {
  const subject = oneLine(letter.subject)
  return { subject, text: toText(letter, unsubscribeUrl), html: toHtml(subject, letter, unsubscribeUrl) }
}

/** A header has one line; control characters could start another one. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 300)

type Content = Pick<Letter, 'paragraphs' | 'action' | 'more'>

const buttonsOf = ({ action, more = [] }: Content) => (action ? [action, ...more] : [])

function toText(content: Content, unsubscribeUrl: string | null): string {
  const parts = content.paragraphs.map((paragraph) => paragraph.trim())
  for (const { label, url } of buttonsOf(content)) parts.push(`${oneLine(label)}:\n${oneLine(url)}`)
  if (unsubscribeUrl !== null) parts.push(`-- \n${UNSUBSCRIBE}: ${unsubscribeUrl}`)
  return `${parts.join('\n\n')}\n`
}

const UNSUBSCRIBE = 'To get no more mails of this kind'

function toHtml(subject: string, content: Content, unsubscribeUrl: string | null): string {
  const body = [
    ...content.paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replace(/\r?\n/g, '<br>')}</p>`),
    ...buttonsOf(content).map(button),
    ...(unsubscribeUrl === null ? [] : [`<p class="small">${UNSUBSCRIBE}: ${link(unsubscribeUrl, 'unsubscribe')}</p>`]),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="page">
${body.join('\n')}
</div>
</body>
</html>
`
}

/** The address is also written out, for readers that show no links. */
const button = ({ label, url }: { label: string; url: string }): string => {
  const shown = `<p class="small">${escapeHtml(url)}</p>`
  return isWebAddress(url) ? `<p>${link(url, label, 'button')}</p>\n${shown}` : shown
}

const link = (url: string, label: string, className?: string): string =>
  isWebAddress(url)
    ? `<a${className === undefined ? '' : ` class="${className}"`} href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
    : escapeHtml(url)

const isWebAddress = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
    // Control characters other than tab and line ends have no place in HTML.
    .replace(/[^\P{Cc}\t\r\n]/gu, '')

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; background: #ffffff; color: #18181b; font: 16px/1.5 system-ui, sans-serif; }
.page { max-width: 560px; margin: 0 auto; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
a { color: #1d4ed8; }
.button { display: inline-block; padding: 10px 18px; border-radius: 6px; background: #18181b; color: #ffffff; text-decoration: none; }
.small { font-size: 13px; color: #52525b; }
@media (prefers-color-scheme: dark) {
  body { background: #18181b; color: #f4f4f5; }
  a { color: #93c5fd; }
  .button { background: #f4f4f5; color: #18181b; }
  .small { color: #a1a1aa; }
}
`
