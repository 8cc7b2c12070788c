import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { listAnswer } from '../../base/http/list'
import { dataAnswer } from '../../base/http/object-answer'
import { PAGE_TYPES, type PageType } from '../../core/funnel/model'
import { account } from '../../projects/doors/account'
import { operator } from '../../projects/doors/operator'
import { exportTexts, importTexts } from './admin/translations'
import { FunnelSchema } from './operator-wire'
import { TEMPLATE_VIEWS } from './template-views'

const tags = ['Funnels']
const strict = { additionalProperties: false } as const

const TemplateSchema = Type.Object(
  {
    id: Type.String({ description: 'What `templateId` of a new funnel names' }),
    name: Type.String(),
    pages: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          type: Type.Unsafe<PageType>(Type.Union(PAGE_TYPES.map((type) => Type.Literal(type)))),
          title: Type.Unsafe<Readonly<Record<string, string>>>(Type.Record(Type.String(), Type.String())),
        },
        { ...strict, title: 'FunnelTemplatePage' },
      ),
    ),
  },
  { ...strict, title: 'FunnelTemplate' },
)

/** What funnels can start with (wire 7.7). They are the same in every project. */
export const templateRoutes = (ctx: Context) =>
  account(ctx, { by: 'any' }).get('/funnel-templates', () => ({ data: { items: TEMPLATE_VIEWS, nextCursor: null } }), {
    response: listAnswer(TemplateSchema),
    detail: {
      tags,
      summary: 'Templates of funnels',
      description: 'Each has English, German, Turkish and Japanese texts, and can be published with the test store.',
      operationId: 'listFunnelTemplates',
    },
  })

const Format = Type.Union([Type.Literal('csv'), Type.Literal('xliff')], {
  description: 'CSV with a column for each language, or XLIFF 1.2 with a file for each',
})
const MAX_TEXT = 900_000

const ImportBody = Type.Object(
  { format: Format, text: Type.String({ minLength: 1, maxLength: MAX_TEXT, description: 'The content of the file' }) },
  { ...strict, title: 'FunnelTextsImport' },
)

const ImportedSchema = Type.Object(
  {
    funnel: FunnelSchema,
    changed: Type.Integer({ description: 'How many texts are others now' }),
    unknown: Type.Array(Type.String(), { description: 'Keys of the file that name no text; they were left out' }),
  },
  { ...strict, title: 'ImportedFunnelTexts' },
)

const TYPES = { csv: 'text/csv; charset=utf-8', xliff: 'application/xliff+xml; charset=utf-8' } as const

/** The texts of a funnel for translators, and back (funnels 10 and 11). */
export const translationRoutes = (ctx: Context) => new Elysia().use(exportRoute(ctx)).use(importRoute(ctx))

const exportRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/funnels/:id/translate-template',
    async ({ project, params, query: { format = 'csv' } }) => {
      const { slug, text } = await exportTexts(ctx, project.id, params.id, format)
      return new Response(text, {
        headers: {
          'content-type': TYPES[format],
          'content-disposition': `attachment; filename="${slug.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}.${format}"`,
          'cache-control': 'no-store',
        },
      })
    },
    {
      query: Type.Object({ format: Type.Optional(Format) }, strict),
      detail: {
        tags,
        summary: 'The texts of the draft for translators',
        description: 'Keys name the places of texts by ids, so pages may be moved while a file is away.',
        operationId: 'exportFunnelTexts',
        responses: {
          200: {
            description: 'The file',
            content: { 'text/csv': { schema: Type.String() }, 'application/xliff+xml': { schema: Type.String() } },
          },
        },
      },
    },
  )

const importRoute = (ctx: Context) =>
  operator(ctx, { capability: 'funnels:write' }).post(
    '/funnels/:id/translate-template',
    async ({ project, actor, expected, params, body }) => ({
      data: await importTexts(ctx, { projectId: project.id, actor, expected }, params.id, body),
    }),
    {
      body: ImportBody,
      response: dataAnswer(ImportedSchema),
      detail: {
        tags,
        'x-errors': ['CONFLICT'],
        summary: 'Put translated texts into the draft',
        description: 'An empty text leaves the one that is there.',
        operationId: 'importFunnelTexts',
      },
    },
  )
