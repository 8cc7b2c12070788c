import { Page } from '../../kit/page'
import { Segmented } from '../../kit/tabs'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { FileApply } from './file-apply'
import { FileDrift } from './file-drift'
import { FileText } from './file-text'

type View = 'text' | 'apply' | 'drift'

/** The project as one text: to read and keep, to change and apply, and what differs from the last applied one. */
export default function ProjectFileScreen() {
  const t = useText('settings')
  const c = useText('common')
  const [view, setView] = useParam('view', 'text')
  return (
    <Page
      title={c.projectFile}
      purpose={t.filePurpose}
      search={
        <Segmented<View>
          label={c.projectFile}
          value={view === 'apply' || view === 'drift' ? view : 'text'}
          onChange={(next) => setView(next)}
          options={[
            ['text', t.fileText],
            ['apply', t.fileApply],
            ['drift', t.fileDrift],
          ]}
        />
      }
    >
      {view === 'apply' ? <FileApply /> : view === 'drift' ? <FileDrift /> : <FileText />}
    </Page>
  )
}
