/** Names of the stores: one spelling on every screen. By the code of the API. */
export const stores = (web: string, granted: string) => ({
  ...{ IOS_STORE: 'App Store', ANDROID_STORE: 'Google Play', PAYMENT: web, MANUAL: granted },
})

/** By the word of the addresses and of the project file. */
export const storesByWord = ({ IOS_STORE, ANDROID_STORE, PAYMENT }: ReturnType<typeof stores>) => ({
  ...{ ios: IOS_STORE, android: ANDROID_STORE, payment: PAYMENT },
})
