import type { Handle } from '../../base/db/handle'
import { conflict, type Edit } from '../../projects/project/edit'
import { type KeyHolder, sharedKey } from './key'

declare module '../../base/state' {
  interface SliceHooks {
    /** What of another slice has a key of this project, so that no flag may have it; null = nothing. */
    keyHolder: (handle: Handle, projectId: string, key: string) => Promise<KeyHolder | null>
  }
}

/** 409 `CONFLICT` when the key names something other than a flag. */
export async function refuseHeldKey({ tx, projectId }: Edit, key: string): Promise<void> {
  for (const findHolder of tx.hooks.keyHolder ?? []) {
    const holder = await findHolder(tx, projectId, key)
    if (holder) throw conflict(sharedKey(key, holder))
  }
}
