import type { Examination, Examined } from '../../base/cli/doctor'
import { OUTGOING_LIMITS, OutgoingCalls } from '../../base/http/outgoing'
import { URL_FAULTS } from '../../base/lib/outgoing-url'
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

const SEALED = 'The identity secret does not open; bring back the master key of before, or rotate the secret.'

const noneOf = (slug: string): string =>
  `Identity tokens are required, and nothing checks them; run: svc identity secret create --project ${slug}`

async function keyGap({ config }: Examined, url: string): Promise<string | null> {
  const answer = await new OutgoingCalls(config).call(url, {}, OUTGOING_LIMITS)
  const says = (reason: string) => `identityJwksUrl ${reason}, so its identity tokens are refused with 503.`
  if (!answer.ok) return says(ANSWER_FAULTS[answer.reason] ?? 'cannot be called')
  if (answer.status !== 200) return says(`answers ${answer.status}`)
  const keys = readKeySet(answer.body)
  if (!keys) return says('answers something that is no JWKS')
  return keys.size === 0 ? 'identityJwksUrl has no usable key, so its identity tokens are not valid.' : null
}

const ANSWER_FAULTS: Readonly<Record<string, string>> = {
  ...URL_FAULTS,
  timeout: 'does not answer in time',
  unreachable: 'cannot be reached',
  too_large: 'answers more than 512 KiB',
}
