import { Menu as MenuIcon, Search, X } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'wouter'
import { IconButton } from '../kit/button'
import { Mark } from '../kit/mark'
import { ProjectContext } from '../lib/session'
import { useText } from '../text/catalogue'
import { AssistantButton } from './assistant-button'
import { Bell } from './bell'

/** The bar at the top of phones. */
export function TopBar({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useText('common')
  const here = useContext(ProjectContext)
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center justify-between border-b border-line bg-canvas px-3 md:hidden print:hidden">
      <Link
        href={here ? `${here.base}/overview` : '/projects'}
        className="flex min-w-0 items-center gap-2 font-semibold"
      >
        <Mark className="shrink-0" /> <bdi className="truncate">{here?.project.name ?? 'svc'}</bdi>
      </Link>
      <div className="flex shrink-0 gap-1">
        <IconButton label={t.searchOrJump} onClick={() => dispatchEvent(new CustomEvent('svc:palette'))}>
          <Search aria-hidden size={18} />
        </IconButton>
        <AssistantButton />
        <Bell />
        <IconButton label={t.menu} aria-expanded={isOpen} onClick={onToggle}>
          {isOpen ? <X aria-hidden size={18} /> : <MenuIcon aria-hidden size={18} />}
        </IconButton>
      </div>
    </header>
  )
}
