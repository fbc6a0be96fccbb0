/** Shared by the field and by what stands in its place while it is loading, so that nothing moves. */
export const initialPasswordTexts = {
  label: '初始密码',
  help: '至少 8 位，含大小写字母和数字；留空则自动生成',
}
