import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { orNull } from '../../base/http/object-answer'
import { oneOf } from '../../core/schema/object'
import { admin } from '../../projects/doors/admin'
import { renewNow, tlsStatus, toWire } from './status'
import { NAME_ERRORS } from './tables'

const strict = { additionalProperties: false } as const
const tags = ['Administration']

const NameSchema = Type.Object(
  {
    name: Type.String({ description: 'A host name or an IP address' }),
    projectId: orNull(Type.String({ description: 'Of a custom domain; null = a name of the deployment' })),
    status: oneOf(['PENDING', 'VALID', 'EXPIRED', 'FAILED']),
    notAfter: orNull(Type.String()),
    issuer: orNull(Type.String()),
    nextAttemptAt: orNull(Type.String({ description: 'When the server tries to get or renew it' })),
    error: orNull(
      Type.Object(
        { code: oneOf(NAME_ERRORS), detail: Type.String() },
        { ...strict, description: 'Why the last attempt failed, also beside a certificate that is still valid' },
      ),
    ),
  },
  { ...strict, title: 'TlsName' },
)

const StatusAnswer = Type.Object(
  {
    data: Type.Object(
      {
        mode: oneOf(['off', 'files', 'auto'], { description: 'off: another program speaks https for this server' }),
        fault: orNull(Type.String({ description: 'Why the certificate files of SVC_TLS cannot be read' })),
        items: Type.Array(NameSchema),
        nextCursor: Type.Null({ description: 'The list has one page' }),
      },
      strict,
    ),
  },
  strict,
)

const RenewBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 255, description: 'One of the list' }) },
  { ...strict, title: 'TlsRenewal' },
)

/** The certificates of the deployment, for platform administrators. */
export const tlsRoutes = (ctx: Context) =>
  admin(ctx)
    .get(
      '/tls',
      async () => {
        const { names, ...status } = await tlsStatus(ctx)
        return { data: { ...status, items: names.map(toWire), nextCursor: null } }
      },
      {
        response: StatusAnswer,
        detail: {
          tags,
          summary: 'Names that this server speaks https for, and their certificates',
          operationId: 'listTlsNames',
        },
      },
    )
    .post('/tls/renew', async ({ body, actor }) => ({ data: { name: await renewNow(ctx, actor, body.name) } }), {
      body: RenewBody,
      response: Type.Object({ data: Type.Object({ name: Type.String() }, strict) }, strict),
      detail: {
        tags,
        'x-errors': ['NOT_FOUND'],
        summary: 'Get a new certificate for a name now',
        description:
          'The running server tries it at once, also while it waits after a failure; the list shows how that ended. Certificate authorities limit how often a name gets one.',
        operationId: 'renewTlsName',
      },
    })
