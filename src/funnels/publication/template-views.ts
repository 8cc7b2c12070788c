import { TEMPLATES } from '../../core/funnel/templates/list'

/** The templates as callers see them. */
export const TEMPLATE_VIEWS = TEMPLATES.map(({ id, name, pages }) => ({
  id,
  name,
  pages: pages.map((page) => ({ id: page.id, type: page.type, title: page.title })),
}))
