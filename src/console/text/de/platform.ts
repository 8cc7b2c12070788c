import type { Texts } from '../catalogue'
import { texts as english } from '../en/platform'

export const texts: Texts['platform'] = english
