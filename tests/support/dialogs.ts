/** Lets dialogs and popovers open and close in jsdom, which has neither. Import it for this effect. */
HTMLDialogElement.prototype.showModal = function () {
	this.open = true;
};
HTMLDialogElement.prototype.close = function () {
	this.open = false;
};
HTMLElement.prototype.hidePopover = () => {};
HTMLElement.prototype.scrollIntoView = () => {};
