import { escapeHtml } from './render'

/** Asks before it does anything: opening a link must change nothing. */
export const unsubscribePage = (token: string): string =>
  page(
    'Stop these mails?',
    `<p>You will get no more optional mails from this server. Mails about signing in are still sent.</p>
<form method="post" action="/unsubscribe?token=${escapeHtml(encodeURIComponent(token))}"><button>Stop these mails</button></form>`,
  )

export const unsubscribedPage = (): string =>
  page('Done', '<p>You get no more optional mails. In your account you can turn them on again.</p>')

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>:root { color-scheme: light dark; } body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; } button { font: inherit; padding: 0.5rem 1rem; }</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`
