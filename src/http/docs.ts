import { Elysia } from 'elysia'
import { version } from 'swagger-ui-dist/package.json'
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import script from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import type { Context } from '../context'
import { buildOpenApi } from './openapi'

/** GET `/openapi.json` and the page `/docs`, whose files are embedded: nothing is loaded from elsewhere. */
export function docsRoutes(_ctx: Context) {
  const docs = new Docs()
  let document: string | null = null
  return docs
    .get(
      '/openapi.json',
      ({ set }) => {
        document ??= JSON.stringify(buildOpenApi({ routes: docs.everyRoute() }))
        Object.assign(set.headers, fileHeaders('application/json', SHORT))
        return document
      },
      hidden,
    )
    .get(
      '/docs',
      ({ set }) => {
        Object.assign(set.headers, fileHeaders('text/html; charset=utf-8', SHORT), {
          'content-security-policy': POLICY,
        })
        return PAGE
      },
      hidden,
    )
    .get(
      '/docs/start.js',
      ({ set }) => {
        Object.assign(set.headers, fileHeaders('text/javascript; charset=utf-8', SHORT))
        return START
      },
      hidden,
    )
    .get(
      `${ASSETS}/swagger-ui.css`,
      ({ set }) => {
        Object.assign(set.headers, fileHeaders('text/css; charset=utf-8', LONG))
        return new Response(Bun.file(styles))
      },
      hidden,
    )
    .get(
      `${ASSETS}/swagger-ui-bundle.js`,
      ({ set }) => {
        Object.assign(set.headers, fileHeaders('text/javascript; charset=utf-8', LONG))
        return new Response(Bun.file(script))
      },
      hidden,
    )
}

/** Elysia tells every instance the routes of the application that uses it; the swagger plugin looks there as well. */
class Docs extends Elysia {
  everyRoute() {
    return this.getGlobalRoutes()
  }
}

const hidden = { detail: { hide: true } }
const ASSETS = `/docs/${version}`
const SHORT = 'public, max-age=300'
const LONG = 'public, max-age=31536000, immutable'

const fileHeaders = (type: string, cache: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': cache,
  'x-content-type-options': 'nosniff',
})

// Swagger UI writes style attributes and has pictures as data: URLs in its style sheet.
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

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

// The validator badge would send the address of the description to a server of others.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null })\n`
