import { useAction } from '../../../api/queries'
import { Facts } from '../../../kit/card'
import { Dialog } from '../../../kit/dialog'
import { Form } from '../../../kit/form'
import { toast } from '../../../kit/toast'
import { Count } from '../../../kit/values'
import { formatNumber } from '../../../lib/format'
import { useReading } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { type ChosenList, useMemberList } from './read-list'
import { AUDIENCES, type AudienceView } from './use-audience-edit'

interface ReplaceListProps {
  audience: AudienceView
  chosen: ChosenList
  reason: string | null
  onClose: () => void
}

/** What was read from the file, before it replaces the list. */
export function ReplaceList({ audience, chosen, reason, onClose }: ReplaceListProps) {
  const t = useText('growth')
  const reading = useReading()
  const { send } = useMemberList(audience.id)
  const replace = useAction({
    run: () => send(chosen.bytes),
    refreshes: [AUDIENCES],
    onDone: ({ members }) => {
      onClose()
      toast(t.listReplaced(members, formatNumber(reading, members)))
    },
  })
  return (
    <Dialog title={t.replaceList} onClose={onClose}>
      <Form
        submit={t.replaceList}
        busy={replace.busy}
        error={replace.error}
        reason={reason ?? (chosen.lines === 0 ? t.noLines : null)}
        onSubmit={() => replace.submit(undefined)}
        onCancel={onClose}
      >
        <Facts
          items={[
            [t.listFile, chosen.fileName],
            [t.linesRead, <Count key="lines" value={chosen.lines} />],
            [t.memberCount, <Count key="count" value={audience.memberCount} />],
          ]}
        />
        <p className="text-sm text-ink-2">{t.replaceListEffect}</p>
      </Form>
    </Dialog>
  )
}
