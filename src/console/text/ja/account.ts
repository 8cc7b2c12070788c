import type { Texts } from '../catalogue'

export const texts: Texts['account'] = {
  title: 'account',
}
