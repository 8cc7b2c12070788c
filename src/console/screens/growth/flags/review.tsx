import { useQueries } from '@tanstack/react-query'
import { ENVIRONMENTS } from '../../../../core/flag/names'
import { api } from '../../../api/client'
import { Button } from '../../../kit/button'
import { ChangeTable } from '../../../kit/changes'
import { Dialog } from '../../../kit/dialog'
import type { Edit } from '../../../kit/edit'
import { FormFailure } from '../../../kit/failure'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { FlagState, Rule } from './model'
import { rulesOf } from './rule-people'
import { useWords } from './use-words'

const PREVIEW = '/dashboard/projects/{projectId}/audiences/preview'

/** What is about to change, with the people behind it, before production is written. */
export function Review({ edit, onClose }: { edit: Edit<FlagState>; onClose: () => void }) {
  const t = useText('growth')
  const common = useText('common')
  const notes = usePeopleNotes(edit)
  return (
    <Dialog title={t.reviewTitle} onClose={onClose} isWide>
      <FormFailure error={edit.error} />
      <p className="text-sm text-ink-2">{t.reviewHint}</p>
      <ChangeTable changes={edit.changes} notes={notes} />
      <div className="flex justify-end gap-2">
        <Button data-first onClick={onClose}>
          {common.back}
        </Button>
        <Button variant="primary" onClick={edit.save} busy={edit.busy}>
          {t.saveToProduction}
        </Button>
      </div>
    </Dialog>
  )
}

/** `44 to 70 people` for each rule that changed, by the key of its change. */
function usePeopleNotes({ draft, changes }: Edit<FlagState>): Record<string, string> {
  const t = useText('growth')
  const { path } = useProject()
  const { audiences } = useWords()
  const pairs = changes.flatMap(({ key }) => {
    const before = ruleAt(draft.base.value, key)
    const after = ruleAt(draft.value, key)
    return before || after ? [{ key, before, after }] : []
  })
  const rules = pairs
    .flatMap(({ before, after }) => [before, after])
    .map((rule) => (rule ? rulesOf(rule, audiences) : {}))
  const counts = useQueries({
    queries: rules.map((document) => ({
      queryKey: [PREVIEW, path, JSON.stringify(document)],
      queryFn: () => api.post(PREVIEW, { params: { path }, body: { rules: document } }),
    })),
  })
  const peopleAt = (index: number, rule: Rule | undefined) => {
    const matching = counts[index]?.data?.matching
    if (!rule) return 0
    return matching === undefined ? null : Math.round(matching * (rule.rollout ?? 1))
  }
  const notes = pairs.flatMap(({ key, before, after }, index) => {
    const [from, to] = [peopleAt(index * 2, before), peopleAt(index * 2 + 1, after)]
    return from === null || to === null ? [] : [[key, t.peopleFromTo(from, to)]]
  })
  return Object.fromEntries(notes) as Record<string, string>
}

function ruleAt(flag: FlagState, key: string): Rule | undefined {
  const [env, , uid] = key.split('.')
  const known = ENVIRONMENTS.find((one) => one === env)
  return known && flag.environments[known]?.rules.find((rule) => rule.uid === uid)
}
