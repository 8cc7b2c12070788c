import { Elysia } from 'elysia'
import type { CommandHelp } from '../../base/command-help'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { unpackText } from '../../base/lib/packed-text'
import { projectFileSchema } from '../../projects/project-file/file-schema'
import type { Schema } from '../../projects/project-file/reader'
import { sectionsOf } from '../../projects/project-file/sections'
import { FILES } from './files'
import { packGuide } from './guide.macro' with { type: 'macro' }
import { articleOf, documentOf } from './layout'
import { type Group, GUIDE, type Page } from './page'
import { makeReference } from './reference'
import { type Place, placesOf } from './search'
import { indexSheet, missingSheet, searchSheet } from './sheets'

/** The guide at `/docs/guide/`: written pages, generated reference pages, the search and the files of the pages. */
export function guideRoutes({ commands, hooks }: Context) {
  const guide = new Guide(commands, () => projectFileSchema(sectionsOf(hooks)))
  const index = ({ request }: { request: Request }) => guide.index(new URL(request.url).searchParams.get('q') ?? '')
  return new Elysia()
    .get('/docs/guide', index, hidden)
    .get(GUIDE, index, hidden)
    .get(`${GUIDE}files/:name`, ({ params }) => fileAnswer(params.name), hidden)
    .get(`${GUIDE}*`, ({ params, request }) => guide.page(params['*'], request), hidden)
}

const hidden = { detail: { hide: true } }

/** The pages of one server. They are made at the first request. */
class Guide {
  private groups: Group[] | null = null
  private pages = new Map<string, Page>()
  private places: Place[] | null = null

  constructor(
    private readonly commands: () => readonly CommandHelp[],
    private readonly fileSchema: () => Schema,
  ) {}

  index(query: string): Response {
    const groups = this.load()
    if (query.trim() === '') return htmlAnswer(documentOf(groups, indexSheet(groups)))
    this.places ??= [...this.pages.values()].flatMap(placesOf)
    return htmlAnswer(documentOf(groups, searchSheet(this.places, query)))
  }

  /** A page, or 404: as a page for a browser, as the usual error envelope for any other caller. */
  page(slug: string, request: Request): Response {
    const groups = this.load()
    const page = this.pages.get(slug)
    if (page) return htmlAnswer(documentOf(groups, articleOf(groups, page)))
    if (!request.headers.get('accept')?.includes('text/html')) throw notFound('page of the guide', slug)
    return htmlAnswer(documentOf(groups, missingSheet()), 404)
  }

  private load(): Group[] {
    if (this.groups) return this.groups
    this.groups = [
      ...(JSON.parse(unpackText(packGuide())) as Group[]),
      makeReference(this.commands(), this.fileSchema()),
    ]
    for (const page of this.groups.flatMap(({ pages }) => pages)) this.pages.set(page.slug, page)
    return this.groups
  }
}

// No scripts, and nothing from other servers.
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const htmlAnswer = (html: string, status = 200): Response =>
  new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': status === 200 ? 'public, max-age=300' : 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })

function fileAnswer(name: string): Response {
  const file = FILES.get(name)
  if (!file) throw notFound('file of the guide', name)
  return new Response(file.body(), {
    headers: {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  })
}
