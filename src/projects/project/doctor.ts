import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import { type KeyView, listKeys } from './service'

/** Checks that an app can call: the project has a key that is neither revoked nor expired. */
export const projectExamination: Examination = {
  name: 'project',
  async project({ handle, now }, { id, slug }) {
    const keys = (await listKeys(handle, id)).filter((key) => isLive(key, now))
    const gaps = keys.length === 0 ? [noKey(slug)] : []
    return { gaps, counts: { 'live API keys': keys.length } }
  },
}

const noKey = (slug: string): Finding =>
  finding('NO_API_KEY', {}, `No API key is live; make one with: svc key create --project ${slug}`)

const isLive = ({ revokedAt, expiresAt }: KeyView, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now)
