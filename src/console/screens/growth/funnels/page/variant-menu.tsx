import { ChevronDown } from 'lucide-react'
import { useLocation } from 'wouter'
import { useEvery } from '../../../../api/every'
import { Menu } from '../../../../kit/menu'
import { useProject } from '../../../../lib/session'
import { useText } from '../../../../text/catalogue'
import { variantsBeside } from '../variants'

interface VariantMenuProps {
  funnelId: string
  /** The page that is open; the other funnel opens at the page with the same id. */
  pageId: string
}

/** The funnels of the same test; choosing one leads there. Nothing for a funnel that no test uses. */
export function VariantMenu({ funnelId, pageId }: VariantMenuProps) {
  const t = useText('funnels')
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const { items } = useEvery('/dashboard/projects/{projectId}/experiments', { params: { path, query: { limit: 200 } } })
  const variants = variantsBeside(items, funnelId)
  const here = variants.find((one) => one.funnelId === funnelId)
  if (!here) return null
  return (
    <Menu
      align="left"
      className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-2 bg-surface px-2.5 text-sm max-md:h-9"
      label={
        <>
          <span className="text-ink-2">{t.variant}</span>
          <span className="max-w-40 truncate font-medium">{here.name}</span>
          <ChevronDown aria-hidden size={14} />
        </>
      }
      items={variants.map((one) => ({
        label: `${one.test}: ${one.name}`,
        isChecked: one.funnelId === funnelId,
        onSelect: () => navigate(`${base}/growth/funnels/${one.funnelId}?${new URLSearchParams({ page: pageId })}`),
      }))}
    />
  )
}
