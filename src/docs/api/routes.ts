import { Elysia } from 'elysia'
import licence from 'swagger-ui-dist/LICENSE' with { type: 'text' }
import notice from 'swagger-ui-dist/NOTICE' with { type: 'text' }
import { version } from 'swagger-ui-dist/package.json'
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import type { Context } from '../../base/context'
import { embeddedFile, IMMUTABLE } from '../../base/http/embedded-file'
import type { Hooks } from '../../base/state'
import { buildOpenApi, type DocumentName } from './openapi'

/** GET `/openapi.json`, `/openapi-dashboard.json`, and the page `/docs`. All files are embedded, so the page loads nothing from other servers. */
export function docsRoutes({ hooks }: Context) {
  const docs = new Docs(hooks)
  return docs
    .get('/openapi.json', () => answer(docs.openApi('api'), JSON_TYPE), hidden)
    .get('/openapi-dashboard.json', () => answer(docs.openApi('dashboard'), JSON_TYPE), hidden)
    .get('/docs', () => answer(PAGE, HTML_TYPE), hidden)
    .get('/docs/start.js', () => answer(START, SCRIPT_TYPE), hidden)
    .get(`${ASSETS}/swagger-ui-bundle.js`, ({ request }) => embeddedFile(request, script, SCRIPT_TYPE), hidden)
    .get(`${ASSETS}/LICENSE.txt`, () => answer(`${notice}\n${licence}`, TEXT_TYPE, IMMUTABLE), hidden)
    .get(`${ASSETS}/swagger-ui.css`, ({ request }) => embeddedFile(request, styles, STYLE_TYPE), hidden)
}

/** Elysia gives every instance the routes of the application that uses it. The swagger plugin reads them too. */
class Docs extends Elysia {
  private readonly texts = new Map<DocumentName, string>()

  constructor(private readonly sliceHooks: Hooks) {
    super()
  }

  /** Built at the first request, because all routes are registered by then. */
  openApi(name: DocumentName): string {
    const text =
      this.texts.get(name) ?? JSON.stringify(buildOpenApi({ routes: this.getGlobalRoutes() }, this.sliceHooks, name))
    this.texts.set(name, text)
    return text
  }
}

const hidden = { detail: { hide: true } }
const ASSETS = `/docs/${version}`

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html; charset=utf-8'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const STYLE_TYPE = 'text/css; charset=utf-8'

const SHORT = 'public, max-age=300'

// Swagger UI writes style attributes, and its style sheet contains pictures as data: URLs.
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

const answer = (body: string, type: string, cache = SHORT): Response =>
  new Response(body, {
    headers: {
      'content-type': type,
      'cache-control': cache,
      'x-content-type-options': 'nosniff',
      ...(type === HTML_TYPE && { 'content-security-policy': POLICY }),
    },
  })

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${ASSETS}/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

// No validator badge: it would send the address of the description to a foreign server.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null })\n`
