export const texts = {
  title: 'account',
}
