import { type Check, type Examination, warn } from '../cli/doctor'
import type { Config } from '../config'
import { DAY } from '../lib/clock'
import { type FindingRow, listFindings } from './queries'

/** An older finding is not about the present configuration of the server. */
const RECENT_MS = 7 * DAY

/** What the running server noticed. */
export const findingExamination: Examination = {
  name: 'findings',
  async database({ handle, config, now }) {
    const rows = await listFindings(handle, now - RECENT_MS)
    return rows.flatMap((row) => checkOf(row, config) ?? [])
  },
}

function checkOf({ name, facts, foundAt }: FindingRow, config: Config): Check | null {
  const at = new Date(foundAt).toISOString()
  if (name === 'other origin') return originCheck(facts, at, config)
  if (name === 'one address' && config.trustedProxies === 0)
    return warn(
      'proxies',
      `On ${at} one address made ${facts.subscribers} new subscribers in a minute (the limit is ${facts.limit}), and SVC_TRUSTED_PROXIES is 0. If a proxy is in front of this server, set it to the number of proxies; otherwise the limits refuse everybody together.`,
    )
  return null
}

function originCheck({ seen, expected }: FindingRow['facts'], at: string, { publicBaseUrl }: Config): Check | null {
  const now = publicBaseUrl === null ? null : new URL(publicBaseUrl).origin
  if (now === seen) return null // It was set right meanwhile.
  return warn(
    'public address',
    `On ${at} a page of ${seen} was refused, because this server expected ${now ?? expected}. If ${seen} is the address of this server's console, set PUBLIC_BASE_URL to it.`,
  )
}
