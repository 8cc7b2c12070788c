import type { Context } from '../../base/context'
import { AppError, invalid } from '../../base/errors'
import { headerText } from '../../base/http/parameters'
import { outsideNow, SECOND } from '../../base/lib/clock'
import type { KeyState, ProjectState } from '../project/state'
import { RETRY_PAUSE_MS } from './key-cache'
import { openSecrets } from './secret'
import { checkToken, MAX_TOKEN_CHARS } from './token'

export const IDENTITY_HEADER = 'X-Svc-Identity-Token'

/** The header in the API description, for routes that read it. */
export const IDENTITY_PARAMETER = {
  name: IDENTITY_HEADER,
  in: 'header',
  description:
    'The identity token of the person, signed by your server. Needed with a public key where the project asks for it.',
  required: false,
  schema: { type: 'string', maxLength: MAX_TOKEN_CHARS },
} as const

/** A call that takes, joins or uses a label. */
export interface IdentityClaim {
  project: ProjectState
  key: KeyState
  label: string
  deviceKey: string
  headers: Headers
  /** The token in the body, where a route takes one there. */
  bodyToken?: string | undefined
}

/**
 * Refuses a call with a public key for a label when the project asks for identity tokens and the call has none (wire
 * 1.11). Secret keys need none. The answer never depends on whether the label exists.
 */
export async function requireIdentity(ctx: Context, claim: IdentityClaim): Promise<void> {
  const { project, key, label, deviceKey } = claim
  if (key.presented === 'secret' || project.settings.identityVerification === 'off') return
  const token = tokenOf(claim)
  if (token === null) throw forbidden('Identity token required')
  const url = project.settings.identityJwksUrl
  const result = await checkToken(token, {
    projectId: project.id,
    label,
    deviceKey,
    now: outsideNow(ctx),
    openSecrets: () => openSecrets(ctx.vault, project.identitySecret, ctx.clock.now()),
    findKey:
      url === null
        ? null
        : (algorithm, kid) => ctx.state.identityKeys.find({ projectId: project.id, url, algorithm, kid }),
  })
  if (result === 'refused') throw forbidden('Identity token is not valid')
  // The fault is not the caller's: no 4xx, so that an app tries again.
  if (result === 'sealed') throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'credential_encryption' })
  if (result === 'keys_unavailable') throw unavailable()
}

/** The token of the header, or of the body; 400 when both are given and differ. */
function tokenOf({ headers, bodyToken }: IdentityClaim): string | null {
  const inHeader = headerText(headers, IDENTITY_HEADER)
  const inBody = bodyToken?.trim() || null
  if (inHeader !== null && inBody !== null && inHeader !== inBody)
    throw invalid(`${IDENTITY_HEADER} and identityToken are both given and differ`)
  return inHeader ?? inBody
}

const forbidden = (message: string): AppError => new AppError('FORBIDDEN', undefined, { message })

const unavailable = (): AppError =>
  new AppError(
    'FEATURE_NOT_CONFIGURED',
    { feature: 'identity_verification', reason: 'jwks_unavailable' },
    { message: "The project's identityJwksUrl gives no keys now", retryAfter: RETRY_PAUSE_MS / SECOND },
  )
