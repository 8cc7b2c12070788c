import { Page } from '../../kit/page'
import { useText } from '../../text/catalogue'

export default function Overview() {
  const t = useText('common')
  return <Page title={t.overview}>{null}</Page>
}
