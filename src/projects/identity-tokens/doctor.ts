import type { Examination, Examined } from '../../base/cli/doctor'
import { OUTGOING_LIMITS, OutgoingCalls } from '../../base/http/outgoing'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
import { type Finding, finding } from '../../core/finding/findings'
import { findProject } from '../project/service'
import { readKeySet } from './key-set'
import { findIdentitySecret } from './queries'
import { openSecrets } from './secret'
import { identitySettingsOf } from './service'

/** Whether a project that asks for identity tokens can check them. */
export const identityExamination: Examination = {
  name: 'identity-tokens',
  async project(examined, { id, slug }) {
    const { handle, vault, now } = examined
    const settings = (await findProject(handle, id))?.settings ?? {}
    const { identityVerification, identityJwksUrl } = identitySettingsOf(settings)
    const row = await findIdentitySecret(handle, id)
    const faults = openSecrets(vault, row, now).isAnySealed ? [SEALED] : []
    if (identityVerification === 'off') return { faults }
    const isUnset = row === null && identityJwksUrl === null
    const gap = isUnset ? noneOf(slug) : identityJwksUrl === null ? null : await keyGap(examined, identityJwksUrl)
    return { faults, gaps: gap === null ? [] : [gap] }
  },
}

const SEALED = finding(
  'IDENTITY_SECRET_SEALED',
  {},
  'The identity secret does not open; bring back the master key of before, or rotate the secret.',
)

const noneOf = (slug: string): Finding =>
  finding(
    'IDENTITY_NOTHING_CHECKS',
    {},
    `Identity tokens are required, and nothing checks them; run: svc identity secret create --project ${slug}`,
  )

async function keyGap({ config }: Examined, url: string): Promise<Finding | null> {
  const answer = await new OutgoingCalls(config).call(url, {}, OUTGOING_LIMITS)
  const says = (reason: string) => `identityJwksUrl ${reason}, so its identity tokens are refused with 503.`
  if (!answer.ok)
    return finding(
      ANSWER_CODES[answer.reason] ?? 'IDENTITY_KEYS_ADDRESS',
      {},
      says(ANSWER_FAULTS[answer.reason] ?? 'cannot be called'),
    )
  const { status } = answer
  if (status !== 200) return finding('IDENTITY_KEYS_STATUS', { status }, says(`answers ${status}`))
  const keys = readKeySet(answer.body)
  if (!keys) return finding('IDENTITY_KEYS_MALFORMED', {}, says('answers something that is no JWKS'))
  return keys.size === 0 ? EMPTY : null
}

const EMPTY = finding(
  'IDENTITY_KEYS_EMPTY',
  {},
  'identityJwksUrl has no usable key, so its identity tokens are not valid.',
)

/** Of all other reasons the address is the fault. */
const ANSWER_CODES: Readonly<Record<string, AnswerCode>> = {
  timeout: 'IDENTITY_KEYS_TIMEOUT',
  unreachable: 'IDENTITY_KEYS_UNREACHABLE',
  too_large: 'IDENTITY_KEYS_TOO_LARGE',
}

type AnswerCode = 'IDENTITY_KEYS_TIMEOUT' | 'IDENTITY_KEYS_UNREACHABLE' | 'IDENTITY_KEYS_TOO_LARGE'

const ANSWER_FAULTS: Readonly<Record<string, string>> = {
  ...URL_FAULTS,
  timeout: 'does not answer in time',
  unreachable: 'cannot be reached',
  too_large: 'answers more than 512 KiB',
}
