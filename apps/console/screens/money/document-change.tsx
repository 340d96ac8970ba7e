export { EditDocument as default } from './document-edit.tsx';
