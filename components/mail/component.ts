export { smtpNotify, type Message, type Notify } from './transport/smtp.ts';
