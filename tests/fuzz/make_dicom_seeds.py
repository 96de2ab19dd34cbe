#!/usr/bin/env python3
# Writes the seeds of the fuzz target of DICOM, which tests/formats/dicom_syntax.test.cc reads, too.
"""make_dicom_seeds.py FOLDER: FOLDER/dicom/*.dcm as tests/fuzz/seeds has them. Needs pydicom 3 and numpy (PyPI), and gdcmconv (Debian libgdcm-tools),
whose compressors write the same bytes for the same version alone."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pydicom
from pydicom.uid import CTImageStorage, ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian

# Numbers of 12 bits in 16: three frames of 4 x 5.
FRAMES = np.array([[[(frame * 1000 + (5 * row + column) * 37 + 11) & 0xFFF for column in range(5)] for row in range(4)] for frame in range(3)])
# gdcmconv --j2k fails below about 32 x 32 pixels.
RAMP = np.add.outer(2 * np.arange(64), np.arange(64))


def make_file(numbers, syntax=ExplicitVRLittleEndian):
    meta = pydicom.dataset.FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID, meta.TransferSyntaxUID = CTImageStorage, "1.2.826.0.1.3680043.10.1.8", syntax
    file = pydicom.Dataset()
    file.file_meta = meta
    file.SOPClassUID, file.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    file.Modality, file.SeriesNumber, file.SeriesDescription = "CT", 3, "Thorax 1.0"
    file.StudyInstanceUID, file.SeriesInstanceUID = "1.2.826.0.1.3680043.10.1.5", "1.2.826.0.1.3680043.10.1.6"
    file.Rows, file.Columns = numbers.shape[-2:]
    if numbers.ndim == 3:
        file.NumberOfFrames = numbers.shape[0]
    file.SamplesPerPixel, file.PhotometricInterpretation = 1, "MONOCHROME2"
    file.BitsAllocated, file.BitsStored, file.HighBit, file.PixelRepresentation = 16, 12, 11, 0
    file.PixelSpacing, file.SliceThickness = [0.5, 0.25], 2
    file.ImagePositionPatient, file.ImageOrientationPatient = [-10, -20, 5], [1, 0, 0, 0, 1, 0]
    file.RescaleSlope, file.RescaleIntercept, file.WindowCenter, file.WindowWidth = 1, -1024, 40, 400
    file.PixelData = numbers.astype(">u2" if syntax == ExplicitVRBigEndian else "<u2").tobytes()
    file["PixelData"].VR = "OW"
    return file


def main():
    folder = pathlib.Path(sys.argv[1]) / "dicom"
    folder.mkdir(parents=True, exist_ok=True)
    for name, syntax in (("plain", ExplicitVRLittleEndian), ("implicit", ImplicitVRLittleEndian), ("big_endian", ExplicitVRBigEndian)):
        make_file(FRAMES, syntax).save_as(folder / f"{name}.dcm", enforce_file_format=True)
    for option, name in (("--jpeg", "jpeg_lossless"), ("--jpegls", "jpeg_ls"), ("--rle", "rle"), ("--deflated", "deflated")):
        subprocess.run(["gdcmconv", option, folder / "plain.dcm", folder / f"{name}.dcm"], check=True)
    with tempfile.NamedTemporaryFile(suffix=".dcm") as ramp:
        make_file(RAMP).save_as(ramp.name, enforce_file_format=True)
        subprocess.run(["gdcmconv", "--j2k", ramp.name, folder / "jpeg2000.dcm"], check=True)


if __name__ == "__main__":
    main()
