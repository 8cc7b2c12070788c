import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { idList, idPage } from '../../base/http/id-list'
import { listAnswer } from '../../base/http/list'
import { DELETED, DeletedAnswer, dataAnswer } from '../../base/http/object-answer'
import type { FunnelDocument } from '../../core/funnel/model'
import { operator } from '../../projects/doors/operator'
import { createFunnel, deleteFunnel, duplicateFunnel, updateFunnelDraft } from './admin/funnels'
import { moveFunnel, revertFunnel } from './admin/lifecycle'
import { publishFunnel } from './admin/publish'
import { diffFunnel, listFunnelVersions, previewDocument } from './admin/reading'
import { validateFunnel } from './admin/validate'
import { getFunnelView, listFunnelViews } from './admin/view'
import {
  DiffQuery,
  DiffSchema,
  FunnelBody,
  FunnelListQuery,
  FunnelPatch,
  FunnelSchema,
  PreviewQuery,
  PublishedSchema,
  RevertBody,
  ValidationSchema,
  VersionSchema,
} from './operator-wire'
import { translationRoutes } from './template-routes'

const tags = ['Funnels']

/** Funnels in the dashboard (wire 7.7, funnels 10). */
export const funnelOperatorRoutes = (ctx: Context) =>
  new Elysia()
    .use(readRoutes(ctx))
    .use(documentRoutes(ctx))
    .use(writeRoutes(ctx))
    .use(lifecycleRoutes(ctx))
    .use(translationRoutes(ctx))

const readRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/funnels',
      async ({ project, query }) => {
        const scope = ['funnels', project.id, query.status]
        return {
          data: idList(
            await listFunnelViews(ctx, project.id, { ...idPage(query, scope), status: query.status ?? null }),
            scope,
          ),
        }
      },
      {
        query: FunnelListQuery,
        response: listAnswer(FunnelSchema),
        detail: { tags, summary: 'Funnels of the project', operationId: 'listFunnels' },
      },
    )
    .get('/funnels/:id', async ({ project, params }) => ({ data: await getFunnelView(ctx, project.id, params.id) }), {
      response: dataAnswer(FunnelSchema),
      detail: { tags, summary: 'One funnel with its draft', operationId: 'getFunnel' },
    })
    .get(
      '/funnels/:id/versions',
      async ({ project, params }) => ({
        data: { items: await listFunnelVersions(ctx, project.id, params.id), nextCursor: null },
      }),
      {
        response: listAnswer(VersionSchema),
        detail: { tags, summary: 'Versions of a funnel, newest first', operationId: 'listFunnelVersions' },
      },
    )

const documentRoutes = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' })
    .get(
      '/funnels/:id/preview-document',
      async ({ project, params, query: { version = 'draft' } }) => ({
        data: { document: await previewDocument(ctx, project.id, params.id, versionOf(version)) },
      }),
      {
        query: PreviewQuery,
        response: dataAnswer(
          Type.Object({ document: Type.Unsafe<FunnelDocument>(Type.Record(Type.String(), Type.Unknown())) }),
        ),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'The document of the draft, of the published version or of an earlier one',
          description: '409 CONFLICT for the published one while nothing is published.',
          operationId: 'previewFunnelDocument',
        },
      },
    )
    .get(
      '/funnels/:id/diff',
      async ({ project, params, query: { from, to = 'draft' } }) => ({
        data: {
          differences: await diffFunnel(ctx, project.id, params.id, { from, to: to === 'draft' ? to : Number(to) }),
        },
      }),
      {
        query: DiffQuery,
        response: dataAnswer(DiffSchema),
        detail: {
          tags,
          summary: 'What differs between two versions, or a version and the draft',
          operationId: 'diffFunnel',
        },
      },
    )
    .post(
      '/funnels/:id/validate',
      async ({ project, params }) => ({ data: await validateFunnel(ctx, project.id, params.id) }),
      {
        response: dataAnswer(ValidationSchema),
        detail: {
          tags,
          summary: 'What publishing the draft would refuse or warn about',
          operationId: 'validateFunnel',
        },
      },
    )

const versionOf = (version: string): 'draft' | 'published' | number =>
  version === 'draft' || version === 'published' ? version : Number(version)

const DRAFT_ERRORS = ['IDENTIFIER_TAKEN', 'UNKNOWN_REFERENCES', 'asset_missing', 'CONFLICT'] as const

const writeRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'funnels:write' })
    .post(
      '/funnels',
      async ({ project, actor, body, set }) => {
        set.status = 201
        return { data: await createFunnel(ctx, { projectId: project.id, actor }, body) }
      },
      {
        body: FunnelBody,
        response: { 201: dataAnswer(FunnelSchema) },
        detail: { tags, 'x-errors': DRAFT_ERRORS, summary: 'Create a funnel', operationId: 'createFunnel' },
      },
    )
    .patch(
      '/funnels/:id',
      async ({ project, actor, expected, params, body }) => ({
        data: await updateFunnelDraft(ctx, { projectId: project.id, actor, expected }, params.id, body),
      }),
      {
        body: FunnelPatch,
        response: dataAnswer(FunnelSchema),
        detail: {
          tags,
          'x-errors': DRAFT_ERRORS,
          summary: 'Change the draft of a funnel',
          description:
            'What is published stays until the draft is published. details.fields names the place of each fault.',
          operationId: 'updateFunnel',
        },
      },
    )
    .delete(
      '/funnels/:id',
      async ({ project, actor, expected, params }) => {
        await deleteFunnel(ctx, { projectId: project.id, actor, expected }, params.id)
        return DELETED
      },
      {
        response: DeletedAnswer,
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Delete a funnel with its versions',
          description: '409 CONFLICT while a placement or an experiment uses it.',
          operationId: 'deleteFunnel',
        },
      },
    )
    .post(
      '/funnels/:id/duplicate',
      async ({ project, actor, params, set }) => {
        set.status = 201
        return { data: await duplicateFunnel(ctx, { projectId: project.id, actor }, params.id) }
      },
      {
        response: { 201: dataAnswer(FunnelSchema) },
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Copy a funnel as a new draft',
          operationId: 'duplicateFunnel',
        },
      },
    )

const lifecycleRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'funnels:write' })
    .post(
      '/funnels/:id/publish',
      async ({ project, actor, expected, params }) => ({
        data: await publishFunnel(ctx, { projectId: project.id, actor, expected }, params.id),
      }),
      {
        response: dataAnswer(PublishedSchema),
        detail: {
          tags,
          'x-errors': ['PAYMENT_NOT_CONNECTED', 'UNKNOWN_REFERENCES', 'asset_missing', 'CONFLICT'],
          summary: 'Publish the draft as the next version',
          operationId: 'publishFunnel',
        },
      },
    )
    .post(
      '/funnels/:id/unpublish',
      async ({ project, actor, expected, params }) => ({
        data: await moveFunnel(ctx, { projectId: project.id, actor, expected }, params.id, 'unpublish'),
      }),
      moved('Take a funnel off', 'unpublishFunnel'),
    )
    .post(
      '/funnels/:id/archive',
      async ({ project, actor, expected, params }) => ({
        data: await moveFunnel(ctx, { projectId: project.id, actor, expected }, params.id, 'archive'),
      }),
      moved('Archive a funnel', 'archiveFunnel'),
    )
    .post(
      '/funnels/:id/restore',
      async ({ project, actor, expected, params }) => ({
        data: await moveFunnel(ctx, { projectId: project.id, actor, expected }, params.id, 'restore'),
      }),
      moved('Restore an archived funnel as a draft', 'restoreFunnel'),
    )
    .post(
      '/funnels/:id/revert',
      async ({ project, actor, expected, params, body }) => ({
        data: await revertFunnel(ctx, { projectId: project.id, actor, expected }, params.id, body.versionNo),
      }),
      { body: RevertBody, ...moved('Make a version the draft again', 'revertFunnel') },
    )

const moved = (summary: string, operationId: string) => ({
  response: dataAnswer(FunnelSchema),
  detail: { tags, 'x-errors': ['CONFLICT'] as const, summary, operationId },
})
