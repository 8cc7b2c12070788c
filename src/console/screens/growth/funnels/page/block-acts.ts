import type { FunnelBlock, FunnelPage } from '../../../../../core/funnel/model'
import { duplicateBlock, indentBlock, moveBlock, outdentBlock, placeOf, removeBlock } from '../blocks'
import { withBlocks } from '../pages'
import type { Builder } from '../use-funnel-edit'

interface ActsOn {
  builder: Builder
  page: FunnelPage
  onChoose: (id: string | null) => void
}

/** What can be done with a block of a page, by keys and by buttons. */
export function blockActs({ builder, page, onChoose }: ActsOn) {
  const blocks = page.blocks ?? []
  const put = (next: readonly FunnelBlock[] | null, chosen: string | null) => {
    if (!next) return
    builder.change((state) => withBlocks(state, page.id, () => next))
    onChoose(chosen)
  }
  return {
    up: (id: string) => put(moveBlock(blocks, id, -1), id),
    down: (id: string) => put(moveBlock(blocks, id, 1), id),
    indent: (id: string) => put(indentBlock(blocks, id), id),
    outdent: (id: string) => put(outdentBlock(blocks, id), id),
    duplicate: (id: string) => {
      const made = duplicateBlock(blocks, id)
      if (made) put(made.blocks, made.copy)
    },
    remove: (id: string) => {
      const place = placeOf(blocks, id)
      const next = place?.siblings[place.index + 1] ?? place?.siblings[place.index - 1] ?? place?.parents.at(-1)
      put(removeBlock(blocks, id), next?.id ?? null)
    },
  }
}
