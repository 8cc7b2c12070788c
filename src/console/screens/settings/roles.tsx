import { useText } from '../../text/catalogue'
import { ROLES } from './role-field'

/** What each role may do, from the one with the fewest rights. */
export function Roles() {
  const t = useText('settings')
  return (
    <dl className="grid gap-4 text-sm">
      {ROLES.map((role) => (
        <div key={role} className="grid gap-1 border-b border-line pb-4 last:border-0">
          <dt className="flex flex-wrap items-baseline gap-2 font-medium">
            {t.roleName[role]} <span className="font-mono text-xs font-normal text-ink-2">{role}</span>
          </dt>
          <dd className="text-ink-2">{t.roleHint[role]}</dd>
        </div>
      ))}
    </dl>
  )
}
