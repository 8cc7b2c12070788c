import { Tabs } from '../../kit/tabs'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

const SCREENS = ['funnels', 'domains', 'assets', 'fonts'] as const

/** Tabs for the funnels of a project, and for the domains, files and fonts that they use. */
export function FunnelTabs({ here }: { here: (typeof SCREENS)[number] }) {
  const common = useText('common')
  const { base } = useProject()
  return (
    <Tabs
      label={common.funnels}
      tabs={SCREENS.map((one) => [`${base}/growth/${one}`, common[one], one === here] as const)}
    />
  )
}
