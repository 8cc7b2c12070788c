import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { Replayed } from '../../base/http/idempotency'
import { factsOf } from '../../base/http/request'
import { api } from '../../projects/doors/api'
import { IDENTITY_PARAMETER, requireIdentity } from '../../projects/identity-tokens/require'
import { MAX_TOKEN_CHARS } from '../../projects/identity-tokens/token'
import { creationOf } from '../subscribers/creation'
import { checkDeviceKey } from '../subscribers/device-key'
import { identify } from './identify'

const strict = { additionalProperties: false } as const

const IdentifyBody = Type.Object(
  {
    deviceKey: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'The permanent id of the install' }),
    ),
    svcId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Alias of deviceKey' })),
    appUserId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      description: 'Your own stable id of the person',
    }),
    identityToken: Type.Optional(
      Type.String({ maxLength: MAX_TOKEN_CHARS, description: 'The identity token, instead of its header' }),
    ),
  },
  { additionalProperties: true },
)

const IdentifyAnswer = Type.Object(
  {
    data: Type.Object({ subscriberId: Type.String(), appUserId: Type.String(), transferred: Type.Boolean() }, strict),
  },
  strict,
)

/** Binds the customer's own id to a device. A repetition must prove who it speaks for, as the first call did. */
export const identifyRoutes = (ctx: Context) =>
  api(ctx, { key: 'any', idempotency: { checksReplay: true } }).post(
    '/identify',
    async ({ project, key, body, request, replayed }) => {
      const { headers } = request
      const claim = { deviceKey: deviceKeyOfBody(body), label: body.appUserId }
      await requireIdentity(ctx, { ...claim, project, key, headers, bodyToken: body.identityToken })
      if (replayed) throw new Replayed(replayed)
      const order = { ...claim, creation: creationOf(ctx, request), requestId: factsOf(request).id }
      return { data: await identify(ctx, project, order) }
    },
    {
      body: IdentifyBody,
      response: IdentifyAnswer,
      detail: {
        tags: ['Subscribers'],
        summary: 'Bind your own user id to a device',
        description:
          'With the setting `identityVerification: labels`, a call with a public key needs an identity token that your server signed; without a valid one it is 403.',
        operationId: 'identify',
        parameters: [IDENTITY_PARAMETER],
        'x-errors': ['FORBIDDEN', 'SUBSCRIBER_UNRESOLVABLE', 'FEATURE_NOT_CONFIGURED'],
      },
    },
  )

function deviceKeyOfBody({ deviceKey, svcId }: { deviceKey?: string; svcId?: string }): string {
  const given = deviceKey ?? svcId
  if (given === undefined) throw invalid('body/deviceKey: Expected required property')
  if (deviceKey !== undefined && svcId !== undefined && deviceKey !== svcId)
    throw invalid('deviceKey and svcId are both given and differ')
  return checkDeviceKey(given, 'deviceKey')
}
