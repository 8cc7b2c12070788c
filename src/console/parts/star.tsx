import { Star } from 'lucide-react'
import { api } from '../api/client'
import { useAction } from '../api/queries'
import { IconButton } from '../kit/button'
import { toast } from '../kit/toast'
import { useFailureToast } from '../kit/use-failure-toast'
import { useSession } from '../lib/session'
import { useText } from '../text/catalogue'

const PREFERENCES = '/dashboard/me/preferences'
/** As many as the server keeps. */
const MOST = 20

/** Puts a chart or a screen into the sidebar of the person, and takes it out again. `path`: below the project. */
export function StarButton({ path, name, className }: { path: string; name: string; className?: string }) {
  const failed = useFailureToast()
  const t = useText('common')
  const { favourites } = useSession().preferences
  const isStarred = favourites.includes(path)
  const action = useAction({
    run: () =>
      api.patch(PREFERENCES, {
        body: { favourites: isStarred ? favourites.filter((one) => one !== path) : [...favourites, path] },
      }),
    refreshes: [PREFERENCES],
    onFailure: failed,
  })
  const toggle = () => {
    if (!isStarred && favourites.length >= MOST) toast(t.favouritesFull(MOST), { isBad: true })
    else action.submit(undefined)
  }
  return (
    <IconButton
      label={isStarred ? t.unstar(name) : t.star(name)}
      aria-pressed={isStarred}
      aria-busy={action.busy}
      onClick={toggle}
      {...(className !== undefined && { className })}
    >
      <Star aria-hidden size={14} className={isStarred ? 'fill-current text-accent' : undefined} />
    </IconButton>
  )
}
