import { FIREBASE_ID, FIREBASE_SECRET, firebase } from '../../../../test/support/integrations/firebase'
import { checkWith } from '../../../../test/support/integrations/stand-in'
import { testMapping } from '../mapping.fixtures'
import { FIREBASE } from './firebase'
import cases from './firebase.cases.json'

testMapping(FIREBASE, cases, { measurementId: FIREBASE_ID, apiSecret: FIREBASE_SECRET }, checkWith(firebase))
