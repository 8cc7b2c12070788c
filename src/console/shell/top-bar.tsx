import { Menu as MenuIcon, Search, X } from 'lucide-react'
import { Link } from 'wouter'
import { IconButton } from '../kit/button'
import { Mark } from '../kit/mark'
import { useText } from '../text/catalogue'
import { Bell } from './bell'

/** The bar at the top of phones. */
export function TopBar({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useText('common')
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center justify-between border-b border-line bg-canvas px-3 md:hidden">
      <Link href="/projects" className="flex items-center gap-2 font-semibold">
        <Mark /> svc
      </Link>
      <div className="flex gap-1">
        <IconButton label={t.searchOrJump} onClick={() => dispatchEvent(new CustomEvent('svc:palette'))}>
          <Search aria-hidden size={18} />
        </IconButton>
        <Bell />
        <IconButton label={t.menu} aria-expanded={isOpen} onClick={onToggle}>
          {isOpen ? <X aria-hidden size={18} /> : <MenuIcon aria-hidden size={18} />}
        </IconButton>
      </div>
    </header>
  )
}
