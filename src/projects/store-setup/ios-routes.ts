import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { listQuery } from '../../base/http/list'
import { throughCircuit } from '../../base/lib/circuit'
import { lookUpApp } from '../../stores/ios/app-lookup'
import { operator } from '../doors/operator'
import { pageOfCatalog, StoreCatalogAnswer } from './catalog'
import { findStoreName } from './model'
import { readNotificationUrls, setNotificationUrl } from './notification-url'

const tags = ['Stores']
const strict = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const Environment = Type.Union([Type.Literal('production'), Type.Literal('sandbox')])

/** What a store reports about the project's app: its public entry, its notification addresses, what it sells. */
export const storeAppRoutes = (ctx: Context) =>
  new Elysia().use(lookupRoutes(ctx)).use(notificationUrlRoutes(ctx)).use(catalogRoutes(ctx))

const lookupRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).get(
    '/apps/ios/lookup',
    async ({ query: { bundleId, country = 'us' } }) => {
      const found = await lookUp(ctx, bundleId, country.toLowerCase())
      if (!found.ok) throw new AppError('STORE_LOOKUP_UNAVAILABLE', undefined, { cause: found.cause })
      if (!found.app) throw notFound('app in the App Store', bundleId)
      return { data: found.app }
    },
    {
      query: Type.Object(
        {
          bundleId: Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9.-]+$' }),
          country: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z]{2}$',
              maxLength: 2,
              description: 'The store of that country; default us',
            }),
          ),
        },
        strict,
      ),
      response: Type.Object(
        {
          data: Type.Object(
            { appId: Type.String(), bundleId: Type.String(), name: Type.String(), iconUrl: TextOrNull },
            { ...strict, title: 'StoreApp' },
          ),
        },
        strict,
      ),
      detail: {
        tags,
        'x-errors': ['NOT_FOUND', 'STORE_LOOKUP_UNAVAILABLE'],
        summary: 'Look an app up by its bundle id',
        description: 'In the public App Store: apps that were not released are not found.',
        operationId: 'lookUpIosApp',
      },
    },
  )

const lookUp = ({ config, clock, state }: Context, bundleId: string, country: string) =>
  throughCircuit<Awaited<ReturnType<typeof lookUpApp>>>(
    {
      circuit: state.storeSetup.lookupCircuit,
      clock,
      whenOpen: { ok: false, cause: 'circuit open' },
      isOutage: ({ ok }) => !ok,
    },
    () => lookUpApp({ url: config.storeUrls.iosLookup, bundleId, country }),
  )

const SavedUrl = Type.Object(
  { current: TextOrNull, matches: Type.Boolean() },
  { ...strict, title: 'SavedNotificationUrl' },
)

const CONNECT_ERRORS = [
  'STORE_KEY_MISSING',
  'STORE_KEY_INSUFFICIENT_ROLE',
  'STORE_API_ERROR',
  'STORE_UNAVAILABLE',
] as const

const notificationUrlRoutes = (ctx: Context) =>
  new Elysia()
    .use(
      operator(ctx, { role: 'DEVELOPER' }).get(
        '/apps/ios/notification-url',
        async ({ project }) => ({ data: await readNotificationUrls(ctx, project) }),
        {
          response: Type.Object(
            {
              data: Type.Object(
                {
                  url: { ...TextOrNull, description: 'Ours; null while PUBLIC_BASE_URL is not set' },
                  production: SavedUrl,
                  sandbox: SavedUrl,
                },
                strict,
              ),
            },
            strict,
          ),
          detail: {
            tags,
            'x-errors': CONNECT_ERRORS,
            summary: 'Where the App Store sends notifications',
            operationId: 'getIosNotificationUrl',
          },
        },
      ),
    )
    .use(
      operator(ctx, { role: 'ADMIN' }).post(
        '/apps/ios/notification-url',
        async ({ project, actor, body }) => {
          const order = { environment: body.environment, replaceExisting: body.replaceExisting ?? false }
          return { data: await setNotificationUrl(ctx, { projectId: project.id, actor }, project, order) }
        },
        {
          body: Type.Object(
            {
              environment: Type.Union([...Environment.anyOf, Type.Literal('both')]),
              replaceExisting: Type.Optional(Type.Boolean({ description: 'Whether another address is replaced' })),
            },
            strict,
          ),
          response: Type.Object(
            {
              data: Type.Object(
                {
                  url: Type.String(),
                  applied: Type.Array(
                    Type.Object({ environment: Environment, previous: TextOrNull, current: Type.String() }, strict),
                  ),
                },
                strict,
              ),
            },
            strict,
          ),
          detail: {
            tags,
            'x-errors': [
              'STORE_NOTIFICATION_URL_NOT_PUBLIC',
              ...CONNECT_ERRORS,
              'STORE_NOTIFICATION_URL_IN_USE',
              'STORE_NOTIFICATION_URL_REJECTED',
            ],
            summary: 'Let the App Store send notifications to this server',
            operationId: 'setIosNotificationUrl',
          },
        },
      ),
    )

const catalogRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' }).get(
    '/apps/:store/catalog',
    async ({ project, params, query }) => {
      const store = findStoreName(params.store)
      if (store === null) throw notFound('store', params.store)
      return { data: await pageOfCatalog(ctx, project, store, query) }
    },
    {
      params: Type.Object({ projectId: Type.String(), store: Type.String() }),
      query: Type.Object(listQuery, strict),
      response: StoreCatalogAnswer,
      detail: {
        tags,
        'x-errors': ['STORE_NOT_CONFIGURED', 'STORE_API_ERROR', 'STORE_UNAVAILABLE'],
        summary: 'What a store sells',
        description: 'Read from the store at each call, by the id at the store.',
        operationId: 'listStoreCatalog',
      },
    },
  )
