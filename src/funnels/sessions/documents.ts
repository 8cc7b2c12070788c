import type { Handle } from '../../base/db/handle'
import type { FunnelDocument } from '../../core/funnel/model'
import { findFunnelVersion } from '../publication/service'

const MOST = 200

/** Versions of funnels in memory. A version never changes. */
export class FunnelDocuments {
  private readonly known = new Map<string, FunnelDocument>()

  async get(handle: Handle, funnelId: string, versionNo: number): Promise<FunnelDocument | null> {
    const name = `${funnelId} ${versionNo}`
    const known = this.known.get(name)
    if (known) return known
    const row = await findFunnelVersion(handle, funnelId, versionNo)
    if (!row) return null
    if (this.known.size >= MOST) this.known.clear()
    this.known.set(name, row.document)
    return row.document
  }
}
