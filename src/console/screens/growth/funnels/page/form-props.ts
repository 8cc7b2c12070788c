import type { FunnelBlock, FunnelPage } from '../../../../../core/funnel/model'
import type { Builder } from '../use-funnel-edit'

/** What the form of a block works with. */
export interface BlockFormProps<Block extends FunnelBlock = FunnelBlock> {
  builder: Builder
  page: FunnelPage
  block: Block
  locale: string
  /** The part names what is typed in, so that typing there is one step. */
  onChange: (block: FunnelBlock, part: string) => void
}
