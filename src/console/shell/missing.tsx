import { LinkButton } from '../kit/button'
import { Empty } from '../kit/empty'
import { useText } from '../text/catalogue'

export function Missing() {
  const t = useText('common')
  return (
    <Empty title={t.notFoundTitle} action={<LinkButton href="/projects">{t.goToProjects}</LinkButton>}>
      {t.notFoundHint}
    </Empty>
  )
}
