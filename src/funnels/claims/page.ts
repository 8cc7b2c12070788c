import type { Context } from '../../base/context'
import type { AppError } from '../../base/errors'
import { escapeHtml } from '../../core/funnel/render/escape'
import { type Language, languageFor } from './words'

/** A whole page of claims. `body` is HTML; the nonce allows its style. */
export const claimPage = ({
  language,
  title,
  body,
  nonce,
}: {
  language: Language
  title: string
  body: string
  nonce: string
}): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style nonce="${escapeHtml(nonce)}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; margin: 0 0 .5rem; }
section { border: 1px solid #8886; border-radius: .75rem; padding: 1rem; margin: 1rem 0; }
form { margin: .5rem 0; }
label { display: block; margin-bottom: .25rem; }
input { box-sizing: border-box; width: 100%; font: inherit; padding: .6rem .75rem; border: 1px solid #888; border-radius: .5rem; }
button, .button { display: inline-block; box-sizing: border-box; min-height: 2.75rem; margin-top: .5rem; padding: .6rem 1.1rem; font: inherit; border: 0; border-radius: .5rem; background: #1d4ed8; color: #fff; text-decoration: none; cursor: pointer; }
button.plain { background: none; border: 1px solid #888; color: inherit; }
p { overflow-wrap: anywhere; }
code { font-size: 1.05rem; overflow-wrap: anywhere; }
.note { font-size: .875rem; }
svg { display: block; width: 12rem; height: 12rem; margin: 1rem 0; }
`

interface PageOptions {
  status?: number
  headers?: Record<string, string>
}

/** Answers a page with the policy of funnels 9. Its address may have a secret, so no link sends it as a referrer. */
export function pageAnswer(html: string, nonce: string, { status = 200, headers = {} }: PageOptions = {}): Response {
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  })
}

/** A refusal: a page for people in their language, the envelope for programs. */
export function refusalPage(
  ctx: Context,
  request: Request,
  { refusal, title, text }: { refusal: AppError; title: string; text: string },
): Response {
  if (!request.headers.get('accept')?.includes('text/html')) throw refusal
  const language = languageFor(request.headers.get('accept-language'))
  const nonce = ctx.ids.token(22)
  const body = `<p>${escapeHtml(text)}</p>`
  return pageAnswer(claimPage({ language, title, body, nonce }), nonce, { status: refusal.status })
}
