import { AppError } from '../../base/errors'
import type { FunnelDocument, FunnelPage } from '../../core/funnel/model'
import { pageById } from '../../core/funnel/way'
import type { SessionRow } from './queries'

export function currentPage({ pages }: Pick<FunnelDocument, 'pages'>, { path }: Pick<SessionRow, 'path'>): FunnelPage {
  const page = pageById(pages, path.at(-1) ?? '') ?? pages[0]
  if (!page) throw new Error('a published funnel has no page')
  return page
}

export const otherPage = ({ path }: Pick<SessionRow, 'path'>): AppError =>
  new AppError(
    'CONFLICT',
    { current_page_id: path.at(-1) ?? null },
    { message: 'The visitor is on another page meanwhile; go on from current_page_id' },
  )
