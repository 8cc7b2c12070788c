import { DAY } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import type { Notice, NoticeKind } from '../../operators/notices/notify'
import { GRACE_MS } from './lifecycle'
import type { DomainRow } from './queries'
import { textName, textOf } from './view'

export const DOMAIN_LOST: NoticeKind = {
  kind: 'domain_lost',
  description: 'A custom domain lost its proof, is about to lose it, or failed.',
}

/** How long the TXT record of a verified name is gone before its owners are warned. */
const WARNED_MS = DAY

/**
 * The notices to owners after a check: once when the record of a verified name is gone for a day, when its pages stop, and
 * when a name fails without a person who asked. Null = nothing new.
 */
export function domainNotice(before: DomainRow, after: DomainRow, isAsked: boolean): Notice | null {
  const { hostname, status, failure } = after
  const wanted = `Set the TXT record ${textName(hostname)} to ${textOf(after.token)}`
  if (before.status === 'VERIFIED' && status !== 'VERIFIED')
    return noticeOf(after, `${hostname} shows no funnels any more`, [
      `The TXT record of ${hostname} was gone for 7 days, so its pages and its certificate have stopped.`,
      `${wanted}; svc looks for it for 72 hours, and then when you ask for a check.`,
    ])
  if (isNewlyGone(before, after))
    return noticeOf(after, `The TXT record of ${hostname} is gone`, [
      `The pages of ${hostname} stop on ${toIso((after.missingSince ?? 0) + GRACE_MS)} unless the record is set again.`,
      `${wanted}.`,
    ])
  if (isAsked || before.status === 'FAILED' || status !== 'FAILED') return null
  if (failure === 'HELD')
    return noticeOf(after, `${hostname} belongs to another project`, [
      `Another project has proved that ${hostname} is its own, so the name shows nothing of this project.`,
      'Delete it here. If the name is yours, remove the TXT record of the other project, set yours, and ask for a check.',
    ])
  return noticeOf(after, `${hostname} could not be verified`, [
    `The TXT record of ${hostname} was not seen for 72 hours.`,
    `${wanted}, and ask for a check.`,
  ])
}

function isNewlyGone(before: DomainRow, { missingSince, checkedAt }: DomainRow): boolean {
  if (missingSince === null || checkedAt === null) return false
  const wasTold = before.missingSince !== null && (before.checkedAt ?? 0) - missingSince >= WARNED_MS
  return !wasTold && checkedAt - missingSince >= WARNED_MS
}

const noticeOf = ({ projectId }: DomainRow, title: string, paragraphs: readonly string[]): Notice => ({
  ...{ kind: DOMAIN_LOST.kind, projectId, roles: ['OWNER'], title },
  ...{ body: paragraphs.join('\n'), mail: { paragraphs } },
})
