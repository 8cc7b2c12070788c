import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../kit/button'
import { Card, Facts } from '../../../kit/card'
import { Count } from '../../../kit/values'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { type ChosenList, readList, useMemberList } from './read-list'
import { ReplaceList } from './replace-list'
import { AUDIENCES, type AudienceView } from './use-audience-edit'

/** How many ids the list of an audience has, and what replaces or deletes it. */
export function MemberList({ audience, reason }: { audience: AudienceView; reason: string | null }) {
  const t = useText('growth')
  const { send } = useMemberList(audience.id)
  const [chosen, setChosen] = useState<ChosenList | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const { memberCount } = audience
  return (
    <Card title={t.memberList}>
      <p className="text-sm text-ink-2">{t.memberListHint}</p>
      <Facts items={[[t.memberCount, <Count key="count" value={memberCount} />]]} />
      {audience.membersStale && <p className="text-sm text-warn">{t.membersStale}</p>}
      <div className="flex flex-wrap gap-2 pt-2">
        <ChooseFile reason={reason} onFile={async (file) => setChosen(await readList(file))} />
        {memberCount > 0 && (
          <Button reason={reason} onClick={() => setDeleting(true)}>
            {t.deleteList}
          </Button>
        )}
      </div>
      {chosen && <ReplaceList audience={audience} chosen={chosen} reason={reason} onClose={() => setChosen(null)} />}
      {isDeleting && (
        <Removal
          title={t.deleteList}
          word={t.deleteList}
          done={t.listDeleted}
          run={() => send(new Blob([]))}
          refreshes={[AUDIENCES]}
          onClose={() => setDeleting(false)}
        >
          <p>{t.deleteListEffect}</p>
        </Removal>
      )}
    </Card>
  )
}

function ChooseFile({ reason, onFile }: { reason: string | null; onFile: (file: File) => Promise<void> }) {
  const t = useText('growth')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={<FileUp aria-hidden size={14} />} reason={reason} onClick={() => input.current?.click()}>
        {t.listFromFile}
      </Button>
      <input
        ref={input}
        type="file"
        aria-label={t.memberList}
        accept=".txt,.csv,text/plain"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void onFile(file)
          target.value = ''
        }}
      />
    </>
  )
}
