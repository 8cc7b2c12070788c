import { answerOfForm } from './answers'
import type { Answers } from './conditions-hold'
import type { FunnelPage } from './model'
import { fieldsOf } from './way'

/** The members of a form that was sent, such as `URLSearchParams`. */
interface SentForm {
  getAll(name: string): readonly string[]
}

/** The answers that a form of the page has sent: every field of the page, those left empty too. */
export const formAnswers = (page: FunnelPage, form: SentForm): Answers =>
  Object.fromEntries(fieldsOf(page).map((field) => [field.id, answerOfForm(field, form.getAll(`a.${field.id}`))]))
