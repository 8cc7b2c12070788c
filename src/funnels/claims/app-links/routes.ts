import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../base/context'
import { dataAnswer, orNull } from '../../../base/http/object-answer'
import { MAX_APPS, MAX_FINGERPRINTS } from '../../../core/app-links/model'
import { operator } from '../../../projects/doors/operator'
import { readAppLinks, writeAppLinks } from './admin'
import { checkFiles } from './check-files'
import {
  ANDROID_FILE,
  APPLE_FILE,
  APPLE_PAY_FILE,
  androidFile,
  answerApplePayFile,
  answerFile,
  appleFile,
} from './files'

const strict = { additionalProperties: false } as const
const text = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description })
const texts = (maxItems: number, description: string) =>
  Type.Array(Type.String({ maxLength: 500 }), { maxItems, description })

const teamId = text('The team id of the developer account: 10 capital letters and digits')
const scheme = text('The scheme of your own that opens the app, as in myapp://')
const bundleIds = texts(MAX_APPS, 'The bundle ids; default that of the App Store settings')
const packageNames = texts(MAX_APPS, 'The package names; default that of the Google Play settings')
const sha256Fingerprints = texts(MAX_FINGERPRINTS, 'SHA-256 of the certificates that sign the app, as AB:CD:…')
const storeUrl = orNull(text('The page of the app in its store; default that of the saved app'))
const association = orNull(
  Type.String({
    maxLength: 20_000,
    description: 'The file with which Apple checks a domain for Apple Pay; at most 16 KiB',
  }),
)

const Body = Type.Object(
  {
    ios: orNull(
      Type.Object({ teamId, bundleIds: Type.Optional(bundleIds), scheme, storeUrl: Type.Optional(storeUrl) }, strict),
    ),
    android: orNull(
      Type.Object(
        {
          packageNames: Type.Optional(packageNames),
          sha256Fingerprints: Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: MAX_FINGERPRINTS }),
          scheme,
          storeUrl: Type.Optional(storeUrl),
        },
        strict,
      ),
    ),
    applePayAssociation: Type.Optional(association),
  },
  { ...strict, title: 'AppLinksRequest' },
)

const suggestedUrl = orNull(Type.String())

const AppLinksSchema = Type.Object(
  {
    ios: orNull(Type.Object({ teamId, bundleIds, scheme, storeUrl }, strict)),
    android: orNull(Type.Object({ packageNames, sha256Fingerprints, scheme, storeUrl }, strict)),
    applePayAssociation: association,
    suggested: Type.Object(
      {
        ios: orNull(Type.Object({ bundleIds: Type.Array(Type.String()), storeUrl: suggestedUrl }, strict)),
        android: orNull(Type.Object({ packageNames: Type.Array(Type.String()), storeUrl: suggestedUrl }, strict)),
      },
      { ...strict, description: 'What the settings of the stores say; the default of members that are left out' },
    ),
    revision: Type.Integer({ minimum: 0, description: '0 while nothing is saved; send it as If-Match' }),
  },
  { ...strict, title: 'AppLinks' },
)

const CheckSchema = Type.Object(
  {
    check: Type.Union([Type.Literal('apple_file'), Type.Literal('android_file')]),
    host: Type.String(),
    status: Type.Union([Type.Literal('OK'), Type.Literal('FAILED'), Type.Literal('UNKNOWN')]),
    detail: Type.String(),
  },
  { ...strict, title: 'AppLinkCheck' },
)

const tags = ['Funnels']

/** Where the apps of a project are (funnels 7). */
export const appLinksOperatorRoutes = (ctx: Context) => new Elysia().use(readRoute(ctx)).use(writeRoutes(ctx))

const readRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/app-links',
    async ({ project }) => ({ data: await readAppLinks(ctx, project) }),
    {
      response: dataAnswer(AppLinksSchema),
      detail: { tags, summary: 'The apps that links of funnels open', operationId: 'getAppLinks' },
    },
  )

const writeRoutes = (ctx: Context) =>
  operator(ctx, { role: 'DEVELOPER' })
    .put(
      '/app-links',
      async ({ project, actor, expected, body }) => {
        await writeAppLinks(ctx, { projectId: project.id, actor, expected }, project, body)
        return { data: await readAppLinks(ctx, project) }
      },
      {
        body: Body,
        response: dataAnswer(AppLinksSchema),
        detail: {
          tags,
          'x-errors': ['CONFLICT'],
          summary: 'Save the apps that links of funnels open',
          description:
            'The server lists them in the files that iOS and Android read. With both null and no association, nothing is saved any more.',
          operationId: 'putAppLinks',
        },
      },
    )
    .get('/app-links/check', async ({ project }) => ({ data: await checkFiles(ctx, project.id) }), {
      response: dataAnswer(Type.Array(CheckSchema)),
      detail: {
        tags,
        summary: 'Whether phones can read the files of the apps',
        description: 'The server reads them at its public address and on each verified custom domain, as phones do.',
        operationId: 'checkAppLinks',
      },
    })

const EXAMPLE = {
  ios: { teamId: 'TEAM123456', bundleIds: ['com.example.sleep'], scheme: 'sleep', storeUrl: null },
  android: {
    packageNames: ['com.example.sleep'],
    sha256Fingerprints: [Array.from({ length: 32 }, () => 'AB').join(':')],
    scheme: 'sleep',
    storeUrl: null,
  },
  applePayAssociation: null,
}

const described = (operationId: string, summary: string, example: object) => ({
  tags,
  'x-door': 'public' as const,
  security: [],
  operationId,
  summary,
  description: 'On the own host of the server it lists the apps of all projects; 404 with `{}` while there are none.',
  responses: {
    200: { description: 'The file.', content: { 'application/json': { schema: {}, example } } },
    404: { description: 'No app is saved.', content: { 'application/json': { schema: {}, example: {} } } },
  },
})

const applePayFile = {
  tags,
  'x-door': 'public' as const,
  security: [],
  operationId: 'getApplePayFile',
  summary: 'The file with which Apple checks this host for Apple Pay',
  description:
    'The text that is saved as `applePayAssociation`; on the own host of the server that of the oldest project.',
  responses: {
    200: {
      description: 'The file.',
      content: { 'text/plain': { schema: { type: 'string' as const }, example: '7B22…' } },
    },
    404: {
      description: 'No file is saved.',
      content: { 'text/plain': { schema: { type: 'string' as const }, example: '' } },
    },
  },
}

/** The files that phones, and Apple for Apple Pay, read; their form is Apple's and Google's. */
export const appFileRoutes = (ctx: Context) =>
  new Elysia()
    .get(APPLE_FILE, ({ request }) => answerFile(ctx, request, appleFile), {
      detail: described(
        'getAppleAppFile',
        'The apps that iOS opens links to this server in',
        appleFile([EXAMPLE]) ?? {},
      ),
    })
    .get(ANDROID_FILE, ({ request }) => answerFile(ctx, request, androidFile), {
      detail: described(
        'getAndroidAppFile',
        'The apps that Android opens links to this server in',
        androidFile([EXAMPLE]) ?? {},
      ),
    })
    .get(APPLE_PAY_FILE, ({ request }) => answerApplePayFile(ctx, request), { detail: applePayFile })
